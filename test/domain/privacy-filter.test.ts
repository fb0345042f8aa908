import { describe, expect, it } from 'vitest';
import type { PrivacyLevel } from '../../src-shared/vocabulary.ts';
import { filterPayload } from '../../src-main/domain/privacy-filter.ts';

const SECRET = 'sk-proj-Filtered0123456789';

const PAYLOAD = {
  messagesSent: [{ role: 'user', content: SECRET }],
  content: `said ${SECRET}`,
  thinking: 'thought',
  requestedToolCalls: [{ id: 'a', name: 'read_x', arguments: { key: SECRET } }, 'no call'],
  raw: { body: SECRET },
  toolArguments: { password: 'hunter22' },
  toolResult: 'result',
  toolArtifacts: [{ type: 'table', rows: [SECRET] }],
  toolName: 'read_x',
  toolIsError: false,
  promptTokens: 0,
  finishReason: 'stop',
};

const KEPT = { toolName: 'read_x', toolIsError: false, promptTokens: 0, finishReason: 'stop' };

describe('the stored form of a step', () => {
  it.each(['none', 'metadata', 'something newer' as PrivacyLevel] as const)(
    'R-176 has none of the eight content keys at level %s, and what is known of them',
    (level) => {
      expect(filterPayload(PAYLOAD, level)).toEqual({
        ...KEPT,
        contentRedacted: true,
        messagesSentCount: 1,
        contentLength: PAYLOAD.content.length,
        thinkingLength: 7,
        requestedToolNames: ['read_x', ''],
        toolResultLength: 6,
        toolArtifactsCount: 1,
        toolArtifactTypes: ['table'],
      });
    },
  );

  it('R-176 says that content was left out although there was none', () => {
    expect(filterPayload(KEPT, 'metadata')).toEqual({ ...KEPT, contentRedacted: true });
  });

  it('R-177 keeps the shape at level redacted, with every secret masked and no flag', () => {
    const kept = filterPayload(PAYLOAD, 'redacted');
    expect(Object.keys(kept)).toEqual(Object.keys(PAYLOAD));
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    expect(kept).toMatchObject({ ...KEPT, thinking: 'thought', toolArguments: { password: '[secret]' } });
  });

  it('R-177 is the same at level full', () => {
    expect(filterPayload(PAYLOAD, 'full')).toEqual(PAYLOAD);
  });
});
