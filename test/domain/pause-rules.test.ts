import { describe, expect, it } from 'vitest';
import { judgePause, NEVER_PAUSED, type Pause } from '../../src-main/domain/pause-rules.ts';
import { accepted, refused } from '../../src-shared/refusals.ts';

const person = { id: 3, name: 'owner', isAdmin: false, isEnabled: true, grants: [] };
const admin = { ...person, id: 1, isAdmin: true };
const PAUSED: Pause = { isPaused: true, operatorId: 3, atMs: 5 };
const by = (operatorId: number, isPaused: boolean) => ({ actor: { kind: 'operator', operatorId }, isPaused }) as const;

describe('pausing everything', () => {
  it.each([
    ['anybody of the installation pauses', person, NEVER_PAUSED, by(3, true), accepted('paused')],
    ['who paused resumes', person, PAUSED, by(3, false), accepted('resumed')],
    ['an administrator resumes', admin, PAUSED, by(1, false), accepted('resumed')],
    ['another person does not', { ...person, id: 5 }, PAUSED, by(5, false), refused({ kind: 'not_administrator' })],
    ['pausing again changes nothing', admin, PAUSED, by(1, true), accepted(null)],
    ['resuming what runs changes nothing', person, NEVER_PAUSED, by(3, false), accepted(null)],
    [
      'somebody disabled does neither',
      { ...person, isEnabled: false },
      PAUSED,
      by(3, false),
      refused({ kind: 'operator_unavailable' }),
    ],
    ['nobody does neither', null, NEVER_PAUSED, by(3, true), refused({ kind: 'operator_unavailable' })],
    [
      'the row of somebody else counts for nothing',
      admin,
      PAUSED,
      by(3, false),
      refused({ kind: 'operator_unavailable' }),
    ],
  ])('%s', (_name, operator, current, input, expected) => {
    expect(judgePause(operator, current, input)).toEqual(expected);
  });
});
