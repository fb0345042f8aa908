import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, openWorld, proposeOnce, RENAME, type World } from '../support/world.ts';

const LIMIT_MS = 180_000;
const SECRET = 'planted-SECRETWORD';

describe('a decision that is refused', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(proposeOnce({ ...RENAME, arguments: { ...RENAME.arguments, values: { name: SECRET } } }));
    world.pool(1);
  }, LIMIT_MS);
  afterEach(() => world.dispose());

  it(
    'H-357 is one warning in the log with run, actor and reason, no event, and nowhere an argument or a note',
    async () => {
      const { runtime, actor, installation } = world.opened;
      const { id } = await world.start();
      const card = await eventually(() => runtime.pendingDecision(actor, id), 60_000);
      expect(JSON.stringify(card.calls)).toContain(SECRET);
      const before = await world.kinds(id);
      const stale = { turnDigest: 'another', previewRevision: card.previewRevision, note: SECRET };
      expect(await runtime.deny(actor, id, stale)).toMatchObject({ refusal: { kind: 'stale_turn' } });
      const lines = readFileSync(installation.paths.log, 'utf8').trim().split('\n');
      const warnings = lines
        .filter((line) => line.includes('decision refused'))
        .map((line) => JSON.parse(line) as object);
      expect(warnings).toMatchObject([{ level: 'warn', runId: id, actor, refusal: 'stale_turn' }]);
      expect(lines.join('\n')).not.toContain(SECRET);
      expect(await world.kinds(id)).toEqual(before);
    },
    LIMIT_MS,
  );
});
