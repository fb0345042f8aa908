import { describe, expect, it } from 'vitest';
import { DECISION_KINDS, EVENT_KINDS, LIFECYCLE_KINDS, STEP_KINDS } from '../../src-shared/vocabulary.ts';

describe('the kinds of events', () => {
  it('R-180 are steps, decisions or something about the whole run, and never two of them', () => {
    expect(STEP_KINDS).toEqual(expect.arrayContaining(['dropped', 'tool_write']));
    for (const kind of ['approval', 'input'] as const) {
      expect(DECISION_KINDS).toContain(kind);
      expect(STEP_KINDS as readonly string[]).not.toContain(kind);
    }
    expect(new Set(EVENT_KINDS).size).toBe(STEP_KINDS.length + DECISION_KINDS.length + LIFECYCLE_KINDS.length);
  });
});
