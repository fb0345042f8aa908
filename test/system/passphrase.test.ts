import { describe, expect, it } from 'vitest';
import { makeProof, matchesProof } from '../../src-main/system/passphrase.ts';

describe('the proof of a passphrase', () => {
  it('is matched by that passphrase however it was typed, and by no other', async () => {
    const proof = await makeProof('Größe und Maß');
    expect(proof.cost).toBeGreaterThanOrEqual(2 ** 15);
    expect(proof).toMatchObject({ blockSize: 8, parallelization: 1 });
    expect(Buffer.from(proof.salt, 'base64')).toHaveLength(16);
    expect(JSON.stringify(proof)).not.toContain('Größe');
    expect(await matchesProof('Größe und Maß'.normalize('NFD'), proof)).toBe(true);
    expect(await matchesProof('Größe und maß', proof)).toBe(false);
    expect(await matchesProof('Größe und Maß', { ...proof, hash: '' })).toBe(false);
  });

  it('has a salt of its own', async () => {
    const [one, two] = [await makeProof('the same one'), await makeProof('the same one')];
    expect(one.salt).not.toBe(two.salt);
    expect(one.hash).not.toBe(two.hash);
  });

  it('is read with the parameters it was made with', async () => {
    const proof = await makeProof('once upon a time');
    expect(await matchesProof('once upon a time', { ...proof, cost: 2 ** 14 })).toBe(false);
  });

  it('that nobody has is matched by nothing, after the same work', async () => {
    expect(await matchesProof('', null)).toBe(false);
    const proof = await makeProof('once upon a time');
    // Processor time, which does not depend on who else uses the machine.
    const spent = async (compared: typeof proof | null): Promise<number> => {
      const before = process.cpuUsage();
      await matchesProof('a wrong one', compared);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // No work at all would be a thousandth of it.
    expect(await spent(null)).toBeGreaterThan((await spent(proof)) / 4);
  });
});
