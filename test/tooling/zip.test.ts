import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackZip } from '../../scripts/lib/zip.mjs';

interface Member {
  name: string;
  content: string;
  mode: number;
  method?: number;
  claimedBytes?: number;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-zip-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('unpackZip', () => {
  it('keeps contents, modes and links, and puts entries where it is told', async () => {
    await unpack(
      [
        { name: 'Product/', content: '', mode: 0o040755 },
        { name: 'Product/program', content: 'run '.repeat(50_000), mode: 0o100755 },
        { name: 'Product/notes.txt', content: 'plain', mode: 0o100644, method: 0 },
        { name: 'Product/empty', content: '', mode: 0o100644, method: 0 },
        { name: 'Product/latest', content: 'notes.txt', mode: 0o120777, method: 0 },
        { name: 'Product/app/secret.js', content: 'no', mode: 0o100644 },
      ],
      (name) => (name.includes('/app/') ? undefined : name.replace('Product/', 'inner/')),
    );
    expect(readFileSync(join(folder, 'inner/program'), 'utf8')).toBe('run '.repeat(50_000));
    expect(lstatSync(join(folder, 'inner/program')).mode & 0o111).toBe(0o111);
    expect(lstatSync(join(folder, 'inner/notes.txt')).mode & 0o111).toBe(0);
    expect(readFileSync(join(folder, 'inner/empty'), 'utf8')).toBe('');
    expect(readlinkSync(join(folder, 'inner/latest'))).toBe('notes.txt');
    expect(lstatSync(join(folder, 'inner/app'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('refuses a name that points outside the folder', async () => {
    const outside = [{ name: '../outside.txt', content: 'x', mode: 0o100644 }];
    await expect(unpack(outside)).rejects.toThrow('points outside');
  });

  it('refuses an entry that is shorter than the directory says', async () => {
    const cut = [{ name: 'cut', content: 'short', mode: 0o100644, claimedBytes: 6 }];
    await expect(unpack(cut)).rejects.toThrow('wrong size');
  });

  it('refuses a compression it does not know, and a file that is no zip', async () => {
    const packed = [{ name: 'packed', content: 'x', mode: 0o100644, method: 12 }];
    await expect(unpack(packed)).rejects.toThrow('method 12 is not supported');
    writeFileSync(join(folder, 'text.zip'), 'just a text that is longer than the end record of a zip');
    await expect(unpackZip(join(folder, 'text.zip'), folder, (name) => name)).rejects.toThrow('not a zip file');
  });
});

async function unpack(members: Member[], place = (name: string): string | undefined => name): Promise<void> {
  const archive = join(folder, 'fixture.zip');
  writeFileSync(archive, zipOf(members));
  await unpackZip(archive, folder, place);
}

/** Writes the same subset of the format that the reader reads; checksums stay zero, because the reader relies on a hash of the whole. */
function zipOf(members: Member[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode, method = 8, claimedBytes = content.length } of members) {
    const packed = method === 8 && content !== '' ? deflateRawSync(content) : Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(content === '' ? 0 : method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(claimedBytes, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(mode, 40);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    entries.push(entry, Buffer.from(name));
    offset += local.length + name.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
