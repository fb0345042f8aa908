import { describe, expect, it } from 'vitest';
import {
  attributionOf,
  attributionOfEvent,
  attributionOfRun,
  strongest,
  type ApprovalTrace,
} from '../../src-main/domain/attribution.ts';

const approval = (decidedBy: unknown, approved: unknown = true): ApprovalTrace => ({
  kind: 'approval',
  payload: { approved, decidedBy },
});
const BOUNCED: ApprovalTrace = { kind: 'approval_bounced', payload: { decisionNumber: 1 } };
const WITHDRAWN: ApprovalTrace = { kind: 'approval_withdrawn', payload: { decisionNumber: 1 } };

describe('who approved, as seen from who started the run', () => {
  it.each([
    ['H-186 the same person', 3, 3, 'self'],
    ['another person', 3, 5, 'secondPerson'],
    ['H-188 a person, of a run nobody started', 0, 5, 'initiatorUnknown'],
    ['H-189 nobody', 3, 0, 'unresolved'],
    ['H-189 nobody of a run nobody started, which is never self', 0, 0, 'unresolved'],
    ['H-193 a number in words', 1, '1', 'unresolved'],
    ['H-193 what is missing', 1, undefined, 'unresolved'],
    ['H-193 half a person', 1, 1.5, 'unresolved'],
    ['nobody that a number is', 1, Number.NaN, 'unresolved'],
    ['less than nobody', -3, -3, 'unresolved'],
    ['a person, of a run that less than nobody started', -3, 3, 'initiatorUnknown'],
  ])('R-182 is, for %s', (_name, initiatorId, decidedBy, expected) => {
    expect(attributionOf(initiatorId, decidedBy)).toBe(expected);
    expect(attributionOfEvent(initiatorId, approval(decidedBy))).toBe(expected);
    expect(attributionOfRun(initiatorId, [approval(decidedBy)])).toBe(expected);
  });

  it.each([
    ['H-190 nothing', [], ''],
    ['H-192 denials only, also by who started it', [approval(3, false), approval(5, false)], ''],
    ['H-191 one by who started it', [approval(5), approval(3), approval(0)], 'self'],
    ['H-191 one by nobody', [approval(5), approval(0), approval(5)], 'unresolved'],
    ['H-191 others only', [approval(5), approval(7)], 'secondPerson'],
    ['something that is not quite true', [approval(3, 1), approval(3, 'true'), approval(3, null)], ''],
    ['a payload nobody can read', [{ kind: 'approval', payload: null }, approval(5)], 'secondPerson'],
    ['H-184 one that came back', [approval(3), BOUNCED], ''],
    ['H-184 one that came back, and the next by another', [approval(3), BOUNCED, approval(5)], 'secondPerson'],
    ['one that was taken back', [approval(3), WITHDRAWN], ''],
    ['one that stood before one that came back', [approval(3), approval(5), BOUNCED], 'self'],
    ['one that stood before a denial that something odd follows', [approval(3), approval(5, false), BOUNCED], 'self'],
    ['what came back before anybody approved', [BOUNCED, approval(5)], 'secondPerson'],
  ] satisfies [string, ApprovalTrace[], string][])('R-182 says of a run with %s', (_name, events, expected) => {
    expect(attributionOfRun(3, events)).toBe(expected);
  });

  it('says of nothing nothing, and of an event that is no approval neither', () => {
    expect(strongest([])).toBe('');
    expect(strongest(['', 'secondPerson', 'initiatorUnknown'])).toBe('initiatorUnknown');
    expect(attributionOfEvent(3, { kind: 'input', payload: { approved: true, decidedBy: 3 } })).toBe('');
  });
});
