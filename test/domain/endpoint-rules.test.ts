import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../src-main/domain/endpoint-rules.ts';

const server = (baseUrl: string) => ({ kind: 'openai_compatible', baseUrl, modelId: 'm' }) as const;

describe('the endpoint of a model', () => {
  it.each([
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434', 1],
    ['http://localhost:1234/', 'http://localhost:1234', 1],
    ['http://[::1]:8080/v1', 'http://[::1]:8080', 1],
    ['https://models.example/v1', 'https://models.example', 8],
    ['https://127.0.0.1.example/v1', 'https://127.0.0.1.example', 8],
  ])('of %s is %s and serves %i at once', (baseUrl, endpoint, limit) => {
    expect(endpointOf(server(baseUrl))).toEqual({ endpoint, limit });
  });
  it('is one for every path and model of a server', () => {
    expect(endpointOf(server('http://127.0.0.1:1/a'))).toEqual(
      endpointOf({ ...server('http://127.0.0.1:1/b'), modelId: 'x' }),
    );
  });
  it('of a script is none, so any number is played at once', () => {
    expect(endpointOf({ kind: 'scripted', scenarioPath: '/s.json' })).toEqual({ endpoint: '', limit: 0 });
  });
});
