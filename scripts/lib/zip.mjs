import { createReadStream, createWriteStream, mkdirSync, symlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

/*
 * A reader for the one kind of archive set-up needs: written on Unix, stored or deflated, below 4 GiB. Neither `unzip` nor
 * Python can be expected on a fresh machine, and Node reads no zip files by itself. Entries are streamed, because one of them
 * is 186 MB. Everything outside this kind is refused, not guessed. Numbers are offsets of the published file format.
 */

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
/** The end record is 22 bytes, followed by a comment of at most 65,535. */
const endSearchBytes = 22 + 65_535;
const unixMode = { kind: 0o170000, folder: 0o040000, link: 0o120000, permissions: 0o777 };

/**
 * @typedef {{ name: string, method: number, packedBytes: number, sizeBytes: number, mode: number, offset: number }} Entry
 */

/**
 * Unpacks an archive with file modes and symbolic links.
 *
 * Faults: not a zip file, an unsupported feature, a name that points outside the folder, a size that does not match.
 *
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} place  the path to write an entry to, undefined to leave it out
 */
export async function unpackZip(archive, folder, place) {
  const file = await open(archive);
  try {
    for (const entry of await readDirectory(file)) {
      const name = place(entry.name);
      if (name === undefined) continue;
      const target = resolve(folder, name);
      if (target !== resolve(folder) && !target.startsWith(resolve(folder) + sep)) {
        throw new Error(`the archive holds a name that points outside: ${entry.name}`);
      }
      await unpackEntry(file, archive, entry, target);
    }
  } finally {
    await file.close();
  }
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @returns {Promise<Entry[]>}
 */
async function readDirectory(file) {
  const { size } = await file.stat();
  const ending = await readAt(file, Math.max(0, size - endSearchBytes), Math.min(size, endSearchBytes));
  const endAt = ending.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (endAt < 0 || ending.readUInt32LE(endAt) !== endSignature) throw new Error('not a zip file');
  const count = ending.readUInt16LE(endAt + 10);
  const directoryBytes = ending.readUInt32LE(endAt + 12);
  const directoryOffset = ending.readUInt32LE(endAt + 16);
  if (count === 0xffff || directoryOffset === 0xffffffff) throw new Error('zip64 archives are not supported');
  const directory = await readAt(file, directoryOffset, directoryBytes);
  const entries = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (directory.readUInt32LE(at) !== entrySignature) throw new Error('the zip directory is damaged');
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      sizeBytes: directory.readUInt32LE(at + 24),
      mode: directory.readUInt16LE(at + 40),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @param {string} archive
 * @param {Entry} entry
 * @param {string} target
 */
async function unpackEntry(file, archive, entry, target) {
  const kind = entry.mode & unixMode.kind;
  if (kind === unixMode.folder || entry.name.endsWith('/')) {
    mkdirSync(target, { recursive: true });
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  const local = await readAt(file, entry.offset, 30);
  if (local.readUInt32LE(0) !== localSignature) throw new Error(`the zip entry is damaged: ${entry.name}`);
  const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (kind === unixMode.link) {
    if (entry.method !== 0) throw new Error(`a deflated link is not supported: ${entry.name}`);
    symlinkSync((await readAt(file, start, entry.packedBytes)).toString('utf8'), target);
    return;
  }
  const sink = createWriteStream(target, { mode: entry.mode & unixMode.permissions || 0o644 });
  // `end` is inclusive, so an empty entry cannot be expressed as a range.
  const packed =
    entry.packedBytes === 0
      ? Readable.from([])
      : createReadStream(archive, { start, end: start + entry.packedBytes - 1 });
  await pipeline(packed, decoder(entry), sink);
  if (sink.bytesWritten !== entry.sizeBytes) throw new Error(`the zip entry has the wrong size: ${entry.name}`);
}

/** @param {Entry} entry */
function decoder({ method, name }) {
  if (method === 0) return new PassThrough();
  if (method === 8) return createInflateRaw();
  throw new Error(`compression method ${method} is not supported: ${name}`);
}

/**
 * @param {import('node:fs/promises').FileHandle} file
 * @param {number} position
 * @param {number} length
 */
async function readAt(file, position, length) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error('the zip file ends too early');
  return buffer;
}
