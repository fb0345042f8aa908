import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** Files of the product in which a pattern stands, with `/`, sorted. */
function filesWith(pattern: RegExp): string[] {
  return ['src-main', 'src-renderer', 'src-shared']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name)),
    )
    .filter((path) => pattern.test(readFileSync(path, 'utf8')))
    .map((path) => path.slice(ROOT.length + 1).replaceAll('\\', '/'))
    .toSorted();
}

/*
 * Who can reach a decision at all. A new way in (a page, a socket, a menu) must be added
 * here by hand, and with that somebody has asked who the actor of it is.
 */
describe('surfaces that can decide', () => {
  it('H-260 ask the store for a decision in one place only', () => {
    expect(filesWith(/'(decide_approval|withdraw_approval|submit_input)'/)).toEqual([
      // Names them, for the table of who may move a run; asks for nothing.
      'src-main/domain/transition-table.ts',
      // Asks whether a run is held with a restored copy, for the card.
      'src-main/runtime/pending-decision.ts',
      'src-main/runtime/runtime.ts',
    ]);
    expect(filesWith(/\bdecideApproval\b/)).toEqual([
      'src-main/domain/decide-rules.ts',
      'src-main/domain/transitions.ts',
      'src-main/runtime/runtime.ts',
    ]);
  });

  it('H-260 judge an answer in one place only', () => {
    expect(filesWith(/\bsubmitInput\(facts/)).toEqual(['src-main/domain/submit-rules.ts']);
    expect(filesWith(/rule: submitInput\b/)).toEqual(['src-main/domain/transitions.ts']);
  });

  it('H-260 are the command line, its demo, the smoke test of the window and the one door of pages, and nothing else', () => {
    expect(filesWith(/\bruntime\.(approve|deny|withdraw|submitInput)\(/)).toEqual([
      'src-main/cli/answer-command.ts',
      'src-main/cli/decide-commands.ts',
      'src-main/cli/demo-command.ts',
      'src-main/ipc/run-handlers.ts',
      'src-main/shell/smoke.ts',
    ]);
  });

  it('H-260 are reached by pages through that door only, whichever way their messages come', () => {
    expect(filesWith(/\bcreateRunHandlers\(/)).toEqual(['src-main/ipc/handlers.ts', 'src-main/ipc/run-handlers.ts']);
    expect(filesWith(/\bcreateHandlers\(/)).toEqual(['src-main/compose.ts', 'src-main/ipc/handlers.ts']);
  });

  it('H-260 ask for a decision from the page only in the store of the card', () => {
    const pageFiles = (pattern: RegExp): string[] =>
      filesWith(pattern).filter((path) => path.startsWith('src-renderer/'));
    expect(pageFiles(/'runs\.(approve|deny|submitInput)'/)).toEqual(['src-renderer/features/card/card-store.ts']);
    expect(pageFiles(/\.(approve|deny|answer)\(/)).toEqual(['src-renderer/features/card/decision-card.tsx']);
  });

  it('H-092 send the digest that came with the card: no page can make one', () => {
    const pageFiles = filesWith(/sha-?256|crypto\.subtle|createHash|domain\/digest|turn\/1:|canonicalJson/i);
    expect(pageFiles.filter((path) => path.startsWith('src-renderer/'))).toEqual([]);
    expect(pageFiles).toContain('src-main/domain/digest.ts');
  });

  it('H-350 take their actor from the opened console: the operating system says who sits there, or a passphrase does', () => {
    expect(filesWith(/kind: 'operator', operatorId:/)).toEqual([
      'src-main/compose-people.ts',
      'src-main/compose.ts',
      'src-main/domain/actor.ts',
    ]);
    expect(filesWith(/\bopenAs\(/)).toEqual(['src-main/cli/passphrase-input.ts', 'src-main/compose-people.ts']);
    expect(filesWith(/\bopenConsole\(/)).toEqual([
      'src-main/cli/demo-command.ts',
      'src-main/cli/program.ts',
      'src-main/compose.ts',
      'src-main/headless.ts',
      'src-main/main.ts',
    ]);
  });
});
