import { describe, expect, it } from 'vitest';
import { call } from '../support/fake-model.ts';
import { OWNER } from '../support/runtime.ts';
import { useRuntime } from '../support/use-runtime.ts';

describe('an approval that was taken back', () => {
  const open = useRuntime();

  it('T-45 is not carried out by a row that was edited to name it again', async () => {
    const f = open([{ calls: [call('set_x', { key: 'title', value: 'new title' })] }]);
    const { id } = await f.start();
    await f.segment();
    const card = await f.runtime.pendingDecision(OWNER, id);
    if (!card) throw new Error('There is no card.');
    expect(await f.runtime.approve(OWNER, id, { ...card, withdrawWindowMs: 5_000 })).toMatchObject({ ok: true });
    expect(await f.runtime.withdraw(OWNER, id)).toMatchObject({
      ok: true,
      value: { status: 'waiting_for_approval', previewRevision: card.previewRevision + 1 },
    });
    f.database.exec("update runs set status = 'queued', decision_number = 1, waiting_since_ms = 0");
    // Nobody claims a row that is not where the record left it.
    await expect(f.segment()).rejects.toThrow('No run is due');
    f.database.exec("update runs set status = 'waiting_for_approval', decision_number = 0, waiting_since_ms = 1");
    expect(f.world.executed).toEqual([]);
  });
});
