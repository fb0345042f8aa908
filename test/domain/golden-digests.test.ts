import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digest, digestRow, type DigestTag } from '../../src-main/domain/digest.ts';
import { definitionDigest, previewDigest, turnBinding, turnDigest } from '../../src-main/domain/turn-rules.ts';
import type { PendingTurn } from '../../src-main/domain/run.ts';
import { hashChange } from '../../src-main/store/change-log.ts';
import { hashEvent, type EventRow } from '../../src-main/store/event-log.ts';
import { hashHead, type HeadRow } from '../../src-main/store/signed-heads.ts';

/*
 * Frozen: whatever a digest of this product was made of, is made of for good. The texts and digests were written by another
 * program in another language.
 */

const vectors = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'vectors', name), 'utf8'));

interface Vector {
  tag: DigestTag;
  /** Canonical. */
  text: string;
  digest: string;
}
const DIGESTS = vectors('digests.json') as Vector[];
const CHAIN = vectors('chain.json') as {
  events: (EventRow & { hash: string })[];
  changes: (Parameters<typeof hashChange>[0] & { hash: string })[];
  head: HeadRow & { hash: string };
};

describe('the golden digests', () => {
  it.each(DIGESTS)('H-084 H-090 of $tag $text', ({ tag, text, digest: expected }) => {
    expect(createHash('sha256').update(`${tag}${text}`).digest('hex')).toBe(expected);
    expect(digest(tag, JSON.parse(text))).toBe(expected);
  });

  it('H-084 H-085 are those of the turns, previews and tools they bind', () => {
    type Pending = { id: string; function: { name: string; arguments: PendingTurn['calls'][number]['arguments'] } };
    const callsOf = (pending: Pending[]) =>
      pending.map(({ id, function: { name, arguments: given } }) => ({ id, name, arguments: given }));
    const [turn, , input, preview, tool] = DIGESTS as [Vector, Vector, Vector, Vector, Vector];
    expect(turnDigest(callsOf(JSON.parse(turn.text) as Pending[]))).toBe(turn.digest);
    const { calls, questions } = JSON.parse(input.text) as { calls: Pending[]; questions: PendingTurn['questions'] };
    expect(turnBinding({ calls: callsOf(calls), questions } as PendingTurn)).toBe(input.digest);
    expect(previewDigest({ previews: JSON.parse(preview.text) as PendingTurn['previews'] } as PendingTurn)).toBe(
      preview.digest,
    );
    expect(definitionDigest(JSON.parse(tool.text) as Parameters<typeof definitionDigest>[0])).toBe(tool.digest);
  });
});

describe('the golden chain', () => {
  it('is made of events, each over all of its row and the hash before', () => {
    for (const { hash, ...row } of CHAIN.events) {
      expect(hashEvent(row)).toBe(hash);
      expect(digestRow('event/1:', row)).toBe(hash);
    }
    expect(CHAIN.events.map(({ previous_hash }) => previous_hash)).toEqual([
      '0'.repeat(64),
      ...CHAIN.events.slice(0, -1).map(({ hash }) => hash),
    ]);
  });

  it('is made of changes and of the head that signs one of them', () => {
    for (const { hash, ...row } of CHAIN.changes) expect(hashChange(row)).toBe(hash);
    const { hash, ...head } = CHAIN.head;
    expect(hashHead(head)).toBe(hash);
  });
});
