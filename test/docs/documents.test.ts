import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src-main/cli/program.ts';

/*
 * Documents that stay true: what README and the decision records say about the tree, the packages and the
 * commands is compared with the tree, package.json and the program itself.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const README = read('README.md');
const DECISIONS = readdirSync(join(ROOT, 'docs', 'decisions'));

/** The lines of a section, up to the next heading of the same or a higher level. Faults: when there is no such heading. */
function section(heading: string): string[] {
  const lines = README.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`README has no heading "${heading}"`);
  const level = heading.indexOf(' ');
  const isNext = (line: string): boolean => /^#+ /.test(line) && line.indexOf(' ') <= level;
  const length = lines.slice(start + 1).findIndex(isNext);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}

/** Folders directly below `path`, as the map writes them. */
const foldersIn = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${path}${entry.name}/`);

/** Every file below a folder, relative to the root. */
const filesBelow = (path: string): string[] =>
  readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));

const SOURCE_FOLDERS = ['src-main', 'src-shared', 'src-renderer', 'scripts', 'test', 'docs'];
const TEXT = /\.(ts|tsx|mjs|cjs|js|json|md|css|html)$/;

describe('the packages in README', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>;
  const used = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  const rows = section('## Packages').flatMap((line) => {
    const [, name, reason] = /^\| `([^`]+)` +\| (.+?) +\|$/.exec(line) ?? [];
    return name ? [{ name, reason: reason ?? '' }] : [];
  });

  it('are those of package.json, each once', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(used.toSorted());
  });

  it('each have a reason', () => {
    expect(rows.filter(({ reason }) => reason.trim().length < 10)).toEqual([]);
  });
});

describe('the map in README', () => {
  const named = section('## Map').flatMap((line) => /^ {4}(\S+\/) +\S/.exec(line)?.[1] ?? []);

  it('names folders that exist, each once', () => {
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(named).toEqual([...new Set(named)]);
  });

  it.each(['src-main/', 'src-shared/', 'src-renderer/', 'scripts/'])('names every folder of %s', (path) => {
    expect(foldersIn(path).filter((folder) => !named.includes(folder))).toEqual([]);
  });
});

describe('the commands in README', () => {
  const listed = section('### All commands').flatMap((line) => (line.startsWith('    ') ? [line.trim()] : []));

  it('are those of the program, called as it says', () => {
    expect(listed).toEqual(Object.entries(COMMANDS).map(([name, { usage }]) => `${name} ${usage}`.trim()));
  });

  it('of the examples exist', () => {
    const called = [...README.matchAll(/npm run -s cli -- ([a-z]+)/g)].map(([, name]) => name ?? '');
    expect(called.length).toBeGreaterThan(10);
    expect(called.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([]);
  });
});

describe('the decision records', () => {
  it('have at most 60 lines each, a number of their own, and the three parts', () => {
    const numbers = DECISIONS.map((name) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(numbers).toEqual([...new Set(numbers)]);
    for (const name of DECISIONS) {
      const text = read(`docs/decisions/${name}`);
      expect(text.trimEnd().split('\n').length, name).toBeLessThanOrEqual(60);
      expect(text, name).toMatch(new RegExp(`^# ${name.slice(0, 4)}: \\S`));
      for (const part of ['## Context', '## Decision', '## Consequences']) expect(text, name).toContain(`\n${part}\n`);
    }
  });

  it('exist where a source cites one', () => {
    const files = [...SOURCE_FOLDERS.flatMap(filesBelow), 'README.md', '.dependency-cruiser.cjs'];
    const cited = files
      .filter((path) => TEXT.test(path))
      .flatMap((path) =>
        [...read(path).matchAll(/(?:docs\/)?decisions\/(\d{4})(-[a-z0-9-]+)?/g)].map(([, number, slug]) => ({
          path,
          name: `${number}${slug ?? ''}`,
        })),
      );
    expect(cited.length).toBeGreaterThan(4);
    expect(cited.filter(({ name }) => !DECISIONS.some((file) => file.startsWith(name)))).toEqual([]);
  });
});

describe('links and citations of documents', () => {
  it.each([
    'README.md',
    'docs/threat-model.md',
    'docs/cases.md',
    'docs/crash-lab.md',
    ...DECISIONS.map((name) => `docs/decisions/${name}`),
  ])('%s points at files that exist', (document) => {
    const linked = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path ?? '');
    const quoted = [
      ...read(document).matchAll(/`((?:src-main|src-shared|src-renderer|scripts|test|docs)\/[^`\s]*)`/g),
    ].map(([, path]) => path ?? '');
    expect([...linked, ...quoted].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('docs/threat-model.md exists, because a source sends its reader there', () => {
    expect(read('src-main/store/verify-chain.ts')).toContain('docs/threat-model.md');
    expect(existsSync(join(ROOT, 'docs', 'threat-model.md'))).toBe(true);
  });
});
