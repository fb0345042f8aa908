import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal, isWaiting } from '../../src-main/domain/run.ts';
import { rowFor, STEPS, TRANSITION_TABLE, type Mover } from '../../src-main/domain/transition-table.ts';
import { TRANSITIONS } from '../../src-main/domain/transitions.ts';
import { RUN_STATUSES } from '../../src-shared/vocabulary.ts';
import { transitionsPage } from '../support/transitions-page.ts';

const MOVERS: Mover[] = ['claim', ...(Object.keys(TRANSITIONS) as Mover[])];

describe('the table of transitions', () => {
  it('I1 leads nowhere from an end: nothing but a late step is recorded there', () => {
    for (const mover of MOVERS) {
      for (const from of RUN_STATUSES.filter(isTerminal)) {
        for (const to of RUN_STATUSES.filter((status) => status !== from)) expect(rowFor(mover, from, to)).toBeNull();
      }
    }
    expect(RUN_STATUSES.filter((status) => rowFor('record_step', status, status))).toEqual(['running', 'cancelled']);
  });

  it('knows a row or a step for every mover, and none that does not exist', () => {
    const known = new Set([...TRANSITION_TABLE.flatMap((row) => row.movers), ...Object.keys(STEPS)]);
    expect([...known].toSorted()).toEqual(MOVERS.toSorted());
  });

  it('T-05 lets a waiting run end by a person or by time only, and go on by a decision only', () => {
    const exits = MOVERS.flatMap((mover) =>
      RUN_STATUSES.filter((to) =>
        RUN_STATUSES.some((from) => isWaiting(from) && from !== to && rowFor(mover, from, to)),
      ).map((to) => `${mover} -> ${to}`),
    );
    expect(exits).toEqual([
      'decide_approval -> queued',
      'submit_input -> queued',
      'cancel -> cancelled',
      'cancel_if_waiting -> cancelled',
      'expire -> cancelled',
      // An administrator gives up a run that cannot be read.
      'settle_unreadable -> failed',
    ]);
  });

  it('names each move once for each mover', () => {
    const moves = TRANSITION_TABLE.flatMap(({ movers, from, to }) =>
      movers.flatMap((mover) => from.map((status) => `${mover}: ${status} -> ${to}`)),
    );
    expect(new Set(moves).size).toBe(moves.length);
  });

  it('is what docs/transitions.md says', async () => {
    await expect(transitionsPage()).toMatchFileSnapshot(join('..', '..', 'docs', 'transitions.md'));
  });
});
