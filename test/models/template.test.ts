import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src-main/domain/json-value.ts';
import { parseTemplate, TemplateError } from '../../src-main/models/template.ts';
import {
  MissingReferenceError,
  renderText,
  renderValue,
  type TemplateScope,
} from '../../src-main/models/template-values.ts';

const record = {
  title: 'Opening hours',
  id: 42,
  tags: ['a', { deep: true }],
  empty: '',
  nothing: null,
  'odd key': 1,
  content: 'own',
};
const scope: TemplateScope = {
  prompt: 'Check the meta description of Page 42, please.',
  results: [
    { role: 'tool', callId: '1', toolName: 'get_record', content: '{"record":{"title":"old"}}', isError: false },
    { role: 'tool', callId: '2', toolName: 'read_file', content: '<p>Line  one</p>\nline two', isError: true },
    {
      role: 'tool',
      callId: '3',
      toolName: 'get_record',
      content: JSON.stringify({ record, content: 'key' }),
      isError: false,
    },
  ],
  values: [
    ['page', "{{ prompt.match('page (\\d+)') | number }}"],
    ['path', '/pages/{{ values.page }}'],
    ['self', '{{ values.self }}'],
  ],
};

describe('references', () => {
  it.each<[string, JsonValue]>([
    ['{{ prompt }}', scope.prompt],
    ["{{ prompt.match('page (\\d+)') }}", '42'],
    ["{{ prompt.match('page (\\d+)') | number }}", 42],
    ["{{ prompt.match('meta \\w+') }}", 'meta description'],
    ['{{ results.get_record.record.title }}', 'Opening hours'],
    ['{{ results[0].record.title }}', 'old'],
    ['{{ results.get_record.record.id }}', 42],
    ['{{ results.get_record.record.tags[1].deep }}', true],
    ["{{ results.get_record.record['odd key'] }}", 1],
    ['{{ results.get_record.record }}', record],
    ['{{ results.get_record.content.match(\'"id":(\\d+)\') }}', '42'],
    ['{{ results.get_record.json.content }}', 'key'],
    ['{{ results.get_record.record.content }}', 'own'],
    ['{{ results.get_record.isError }}', false],
    ['{{ results[1].isError }}', true],
    ['{{ results[1].tool }}', 'read_file'],
    ['{{ results.read_file }}', '<p>Line  one</p>\nline two'],
    ["{{ results.read_file.match('line (\\w+)$') }}", 'two'],
    ['{{ results.read_file.content | plain }}', 'Line one line two'],
    ['{{values.page}}', 42],
    ['{{ values.path }}', '/pages/42'],
  ])('resolves %s with its own type', (template, expected) => {
    expect(renderValue(template, scope)).toEqual(expected);
  });

  it('fills in texts at any depth and leaves everything else alone', () => {
    expect(
      renderValue({ key: { id: '{{ values.page }}' }, list: ['no. {{ values.page }}', 7, null, true] }, scope),
    ).toEqual({
      key: { id: 42 },
      list: ['no. 42', 7, null, true],
    });
  });

  it('writes objects as JSON inside a text', () => {
    expect(renderText('tags: {{ results.get_record.record.tags }}!', scope)).toBe('tags: ["a",{"deep":true}]!');
  });

  it.each([
    '{{ results.unknown_tool.title }}',
    '{{ results[9].content }}',
    '{{ results.read_file.title }}',
    '{{ results.get_record.record.missing }}',
    '{{ results.get_record.record.title.length }}',
    '{{ results.get_record.record.constructor }}',
    '{{ results.get_record.record.__proto__ }}',
    "{{ prompt.match('nothing like it') }}",
    '{{ prompt | number }}',
    '{{ values.unknown }}',
    '{{ values.self }}',
  ])('has no value for %s, says so, and takes the default where there is one', (template) => {
    expect(() => renderText(`x ${template}`, scope)).toThrow(new MissingReferenceError(template));
    expect(renderValue(template.replace(' }}', " | default: 'none' }}"), scope)).toBe('none');
  });
});

describe('filters', () => {
  it.each<[string, JsonValue]>([
    ["{{ results.get_record.record.nothing | default: 'it\\'s | }} fine' }}", "it's | }} fine"],
    ['{{ results.get_record.record.empty | default: 0 }}', 0],
    ['{{ results.get_record.record.id | json }}', '42'],
    ['{{ results.get_record.record.title | json }}', '"Opening hours"'],
    ['{{ results.get_record.record.title | truncate: 13 }}', 'Opening hours'],
    ['{{ results.get_record.record.title | truncate: 11 }}', 'Opening…'],
    ['{{ results.get_record.record.title | truncate: 4 }}', 'Ope…'],
    ['{{ results.get_record.record.title | truncate: 0 }}', ''],
  ])('applies %s', (template, expected) => {
    expect(renderValue(template, scope)).toBe(expected);
  });

  it('never truncates to more characters than asked for, nor inside one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, length) => {
        const cut = renderText(`{{ prompt | truncate: ${length} }}`, { ...scope, prompt: text });
        expect(Array.from(cut).length).toBeLessThanOrEqual(Math.max(length, 0));
        expect(cut.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});

describe('parsing', () => {
  it.each([
    '{{',
    '{{ }}',
    '{{ promt }}',
    '{{ results }}',
    "{{ results.match('x') }}",
    '{{ prompt',
    '{{ prompt | upper }}',
    '{{ prompt | truncate }}',
    '{{ prompt | default }}',
    "{{ prompt | default: 'it''s' }}",
    "{{ prompt.match('(') }}",
    "{{ prompt.match('x' }}",
    '{{ results[x] }}',
    '{{ prompt prompt }}',
  ])('refuses %s', (template) => {
    expect(() => parseTemplate(template)).toThrow(TemplateError);
  });

  it('leaves text without references as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{{')),
        (text) => {
          expect(renderText(text, scope)).toBe(text);
        },
      ),
    );
  });
});
