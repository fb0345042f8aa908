import { describe, expect, it } from 'vitest';
import { redactText, redactValue } from '../../src-main/domain/redaction.ts';
import type { JsonValue } from '../../src-main/domain/json-value.ts';

/** Stands for the part nobody may read; it has no shape of its own. */
const S = 'hunter22';
/** For shapes that need length. */
const LONG = 'Abcdefghijklmnop0123456789abcdefghijklmn';

describe('the redaction of a text', () => {
  it.each([
    `password=${S}`,
    `DB_PASSWORD=${S}`,
    `my.secret: ${S}`,
    `{"password":"${S}"}`,
    `{"password": "correct ${S} battery"}`,
    `{"password": "with \\"${S} inside"}`,
    JSON.stringify({ body: JSON.stringify({ apiKey: S }) }),
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ 'x-api-key': `a b ${S}` }) }) }),
    `'secret' => '${S}'`,
    `--password ${S}`,
    `--token=${S}`,
    `?a=1&access_token=${S}&b=2`,
    `Authorization: Basic ${S}`,
    `authorization: Bearer ${S}`,
    `Cookie: a=1; session=${S}`,
    `Set-Cookie: id=${S}; HttpOnly`,
    `https://me:${S}@host/path`,
    `postgres://u:${S}@db:5432/x`,
    `redis://:${S}@host`,
    `https://${S}@github.com/x`,
    `mail ${S}@example.org now`,
    `${S}@bücher.example`,
    `sk-${LONG}`,
    `sk-proj-${LONG}`,
    `ghp_${LONG}`,
    `github_pat_${LONG}`,
    `AKIA${LONG.toUpperCase().slice(0, 16)}`,
    `AIza${LONG}`,
    `xoxb-${LONG}`,
    `glpat-${LONG}`,
    `hf_${LONG}`,
    `eyJ${LONG}.${LONG}.${LONG}`,
    `Bearer ${LONG}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${LONG}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${LONG}`,
  ])('R-177 masks the secret of %j', (text) => {
    const masked = redactText(text);
    expect(masked).not.toContain(S);
    expect(masked.toLowerCase()).not.toContain(LONG.slice(0, 12).toLowerCase());
  });

  it.each([
    'Set the title of page 42 to "About us".',
    'promptTokens 12, completionTokens 30',
    'SELECT id, name FROM pages WHERE id = 42',
    'https://example.org/a?b=c#d',
    'asked-for-a-disk-with-a-very-long-name',
    '2026-01-31T08:00:00Z',
  ])('leaves %j as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each([
    'a',
    'a@',
    'password',
    'password:"',
    'token=',
    '-----BEGIN PRIVATE KEY-----',
    'x://',
    'Cookie: ',
    '\\"',
    '@a.',
  ])('takes a megabyte of %j in time that grows with its length', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const startedMs = performance.now();
    expect(redactText(text).length).toBeLessThan(2_100);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('R-177 masks before it cuts, and never cuts a character in two', () => {
    expect(redactText(`${'x'.repeat(1_990)} sk-${LONG}`)).not.toContain('sk-');
    expect(redactText('😀'.repeat(2_000)).isWellFormed()).toBe(true);
  });
});

describe('the redaction of a value', () => {
  it.each<JsonValue>([
    { password: S },
    { values: { user: 'joe', db_password: S } },
    { headers: { 'X-Api-Key': S, Authorization: `Basic ${S}`, 'set-cookie': [`a=${S}`] } },
    { clientSecret: { id: 'a', value: S } },
    { private_key: [S, { deep: S }] },
    { headers: [{ name: 'Authorization', value: S }] },
    { column: 'password', value: S },
    { [`key sk-${S}${LONG}`]: 1 },
    { secrets: { [`${S}@example.org`]: 1 } },
  ])('R-177 masks what a name tells in %j', (value) => {
    expect(JSON.stringify(redactValue(value))).not.toContain(S);
  });

  it('R-177 masks numbers under a telling name, and keeps what is no secret', () => {
    expect(
      redactValue({ password: 123_456, hasPassword: true, token: null, maxTokens: 500, title: 'x', n: 1 }),
    ).toEqual({
      password: '[secret]',
      hasPassword: true,
      token: null,
      maxTokens: 500,
      title: 'x',
      n: 1,
    });
  });
});
