import { describe, expect, it } from 'vitest';
import { judgeEpoch, type InstanceMark, type OpenedFile } from '../../src-main/domain/epoch-rules.ts';
import { restoredBar } from '../../src-main/domain/restored-gate.ts';
import { releaseRestored } from '../../src-main/domain/restored-rules.ts';
import { TRANSITIONS } from '../../src-main/domain/transitions.ts';
import type { Mover } from '../../src-main/domain/transition-table.ts';
import { afterChange, answerOf, aRun, aRunningRun, aWaitingRun, changeOf, someFacts } from '../support/run-builders.ts';

const ADMIN = { kind: 'operator', operatorId: 1 } as const;
const admin = { id: 1, name: 'admin', isAdmin: true, isEnabled: true, grants: [] };
const MOVERS = ['claim', ...Object.keys(TRANSITIONS)] as Mover[];

describe('a run of a restored copy', () => {
  it('is moved by nothing but a release, or by a person who ends it', () => {
    const held = aWaitingRun({ hold: 'restored' });
    const free = MOVERS.filter((mover) => restoredBar(mover, held) === null);
    expect(free.toSorted()).toEqual(['cancel', 'cancel_if_waiting', 'release_restored', 'settle_unreadable']);
  });

  it.each(['', 'offline', 'paused', 'configuration_inactive'] as const)('is not one that is held as "%s"', (hold) => {
    expect(MOVERS.every((mover) => restoredBar(mover, aRun({ hold })) === null)).toBe(true);
  });

  it.each([
    ['queued', aRun({ hold: 'restored' }), true],
    ['running', aRunningRun({ hold: 'restored' }), undefined],
    ['waiting', aWaitingRun({ hold: 'restored' }), undefined],
  ] as const)('that is %s goes on from where it stood when an administrator releases it', (_name, run, wakes) => {
    const change = changeOf(releaseRestored(someFacts({ run, operator: admin }), { actor: ADMIN }));
    expect(afterChange(run, change)).toEqual({ ...run, hold: '' });
    expect(change.wakes === true).toBe(wakes === true);
    expect(change.events).toMatchObject([{ kind: 'released', payload: { releasedBy: 1 } }]);
  });

  it.each([
    ['by somebody else', { operator: { ...admin, isAdmin: false } }, 'not_administrator'],
    ['by an administrator who is switched off', { operator: { ...admin, isEnabled: false } }, 'not_administrator'],
    ['by a stranger', { operator: null }, 'not_administrator'],
    ['when there is none', { run: null }, 'unknown_run'],
    ['when it is not held', { run: aWaitingRun() }, 'not_restored'],
  ])('is not released %s', (_name, facts, refusal) => {
    const all = someFacts({ run: aWaitingRun({ hold: 'restored' }), operator: admin, ...facts });
    expect(answerOf(releaseRestored(all, { actor: ADMIN }))).toBe(refusal);
  });
});

describe('a database that is opened', () => {
  const file: OpenedFile = { instanceId: 'a', inode: '7', hashAtMark: 'h', isEmpty: false };
  const mark: InstanceMark = { instanceId: 'a', inode: '7', seq: 3, hash: 'h' };

  it.each([
    ['the one that was written last', file, mark, 'same'],
    ['new', { ...file, instanceId: null, isEmpty: true }, null, 'first'],
    ['of a release without marks', { ...file, instanceId: null }, null, 'first'],
    ['new beside the mark of a deleted one', { ...file, instanceId: null, isEmpty: true }, mark, 'first'],
    ['a copy without its mark', file, null, 'copied'],
    ['a copy together with its mark', { ...file, inode: '8' }, mark, 'copied'],
    ['another installation in the place of this', { ...file, instanceId: 'b' }, mark, 'another'],
    ['an old copy from a release without marks', { ...file, instanceId: null }, mark, 'another'],
    ['the same file put back to before the mark', { ...file, hashAtMark: null }, mark, 'older'],
    ['the same file with another history', { ...file, hashAtMark: 'x' }, mark, 'older'],
    ['one that had no change yet when it was marked', { ...file, hashAtMark: null }, { ...mark, seq: 0 }, 'same'],
  ] as const)('is known as what it is: %s', (_name, opened, beside, epoch) => {
    expect(judgeEpoch(opened, beside)).toBe(epoch);
  });
});
