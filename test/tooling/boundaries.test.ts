import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const configuration = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: (IForbiddenRuleType & { name: string })[];
  options: object;
};

/** Packages that resolve in the fixture tree; what they contain does not matter. */
const packages = [
  'ajv',
  'typebox',
  'canonicalize',
  'electron',
  'better-sqlite3',
  '@ai-sdk/provider',
  'diff',
  'react',
  'left',
];

/** One line per rule: a file, what it imports, and the rule that must notice. */
const violations: [file: string, imported: string, rule: string][] = [
  ['src-main/domain/upward.ts', '../store/rows.ts', 'domain-imports-only-its-layers'],
  ['src-main/domain/foreign.ts', 'left', 'domain-imports-only-its-packages'],
  ['src-main/domain/hash.ts', 'node:crypto', 'domain-is-pure'],
  ['src-main/domain/digest.ts', 'node:fs', 'digest-uses-only-crypto'],
  ['src-main/domain/within-time.ts', 'node:fs', 'within-time-uses-only-vm'],
  ['src-main/system/upward.ts', '../store/change-log.ts', 'system-imports-only-its-layers'],
  ['src-main/system/foreign.ts', 'left', 'system-imports-only-its-packages'],
  ['src-main/store/upward.ts', '../runtime/decide.ts', 'store-imports-only-its-layers'],
  ['src-main/store/foreign.ts', 'left', 'store-imports-only-its-packages'],
  ['src-main/models/sideways.ts', '../system/clock.ts', 'models-imports-only-its-layers'],
  ['src-main/models/foreign.ts', 'better-sqlite3', 'models-imports-only-its-packages'],
  ['src-main/mcp/sideways.ts', '../tools/registry.ts', 'mcp-imports-only-its-layers'],
  ['src-main/mcp/foreign.ts', 'left', 'mcp-imports-only-its-packages'],
  ['src-main/tools/sideways.ts', '../store/rows.ts', 'tools-imports-only-its-layers'],
  ['src-main/tools/foreign.ts', 'electron', 'tools-imports-only-its-packages'],
  ['src-main/runtime/tables.ts', '../store/rows.ts', 'runtime-imports-only-its-layers'],
  ['src-main/runtime/foreign.ts', 'better-sqlite3', 'runtime-imports-only-its-packages'],
  ['src-main/runtime/effect.ts', 'node:child_process', 'rules-leave-the-machine-alone'],
  ['src-main/chat/sideways.ts', '../system/clock.ts', 'chat-imports-only-its-layers'],
  ['src-main/chat/foreign.ts', 'left', 'chat-imports-only-its-packages'],
  ['src-main/workers/tables.ts', '../store/change-log.ts', 'workers-imports-only-its-layers'],
  ['src-main/workers/foreign.ts', 'left', 'workers-imports-only-its-packages'],
  ['src-main/ipc/tables.ts', '../store/rows.ts', 'ipc-imports-only-its-layers'],
  ['src-main/ipc/foreign.ts', 'electron', 'ipc-imports-only-its-packages'],
  ['src-main/cli/sideways.ts', '../models/adapter.ts', 'cli-imports-only-its-layers'],
  ['src-main/cli/foreign.ts', 'left', 'cli-imports-only-its-packages'],
  ['src-main/shell/downward.ts', '../store/rows.ts', 'shell-imports-only-its-layers'],
  ['src-main/shell/foreign.ts', 'left', 'shell-imports-only-its-packages'],
  ['src-main/shell/preload/upward.ts', '../window.ts', 'preload-knows-no-host'],
  ['src-main/shell/preload/schemas.ts', 'typebox', 'preload-knows-no-host'],
  ['src-main/shell/preload/core.ts', 'node:fs', 'preload-runs-in-a-sandbox'],
  ['src-main/compose.ts', './shell/window.ts', 'compose-knows-no-shell'],
  ['src-main/compose-worker.ts', './shell/window.ts', 'compose-knows-no-shell'],
  ['src-main/main.ts', './worker.ts', 'starts-import-no-start'],
  ['src-main/main.ts', './cli/run-demo.ts', 'only-cli-uses-its-commands'],
  ['src-main/headless.ts', './shell/window.ts', 'only-main-knows-electron'],
  ['src-main/headless.ts', './shell/window.ts', 'headless-never-reaches-electron'],
  ['src-main/worker.ts', './compose.ts', 'worker-never-reaches-electron'],
  ['src-main/cli.ts', './compose.ts', 'cli-never-reaches-electron'],
  ['src-main/search-thread.ts', './compose.ts', 'search-thread-never-reaches-electron'],
  ['src-main/tool-child.ts', './tools/foreign.ts', 'tool-child-never-reaches-electron'],
  ['src-main/helpers/strings.ts', '../domain/rules.ts', 'no-unknown-place-in-main'],
  ['src-main/domain/circle-a.ts', './circle-b.ts', 'no-cycles'],
  ['src-main/domain/nowhere.ts', './missing.ts', 'no-unresolvable-import'],
  ['src-main/domain/tested.ts', '../../test/builders.ts', 'sources-import-no-tests'],
  ['src-shared/host.ts', '../src-main/domain/rules.ts', 'shared-stands-alone'],
  ['src-shared/core.ts', 'node:os', 'shared-stands-alone'],
  ['src-shared/foreign.ts', 'ajv', 'shared-stands-alone'],
  ['src-renderer/app/host.ts', '../../src-main/domain/rules.ts', 'renderer-knows-no-host'],
  ['src-renderer/app/generates-code.ts', 'ajv', 'renderer-knows-no-host'],
  ['src-renderer/app/core.ts', 'node:path', 'renderer-runs-in-a-browser'],
  ['src-renderer/features/runs/runs.tsx', '../inbox/inbox.tsx', 'a-feature-never-imports-another'],
  ['src-renderer/features/runs/upward.ts', '../../app/router.ts', 'features-know-no-app'],
  ['src-renderer/components/badge.tsx', '../features/inbox/inbox.tsx', 'components-know-no-feature'],
  ['src-renderer/api/client.ts', '../components/table.tsx', 'api-knows-no-screen'],
];

/** What the table allows; none of these may be reported. */
const allowed: [file: string, imported: string[]][] = [
  ['src-shared/vocabulary.ts', ['typebox']],
  ['src-main/domain/rules.ts', ['../../src-shared/vocabulary.ts', 'typebox', 'ajv', 'canonicalize']],
  ['src-main/system/clock.ts', ['../domain/rules.ts', 'node:os', 'better-sqlite3']],
  ['src-main/store/rows.ts', ['../domain/rules.ts', '../system/clock.ts', 'better-sqlite3']],
  ['src-main/store/run-store.ts', ['../domain/rules.ts']],
  ['src-main/store/change-log.ts', []],
  ['src-main/store/run-queries.ts', ['./rows.ts']],
  ['src-main/models/adapter.ts', ['../domain/rules.ts', '@ai-sdk/provider', 'node:http']],
  ['src-main/tools/registry.ts', ['../domain/rules.ts', '../system/clock.ts', 'diff', 'node:fs']],
  ['src-main/runtime/decide.ts', ['../domain/rules.ts', '../store/run-store.ts']],
  ['src-main/chat/say.ts', ['../runtime/decide.ts', '../store/run-store.ts']],
  ['src-main/workers/loop.ts', ['../runtime/decide.ts', '../system/clock.ts']],
  ['src-main/ipc/serve.ts', ['../chat/say.ts', '../store/run-queries.ts', '../system/clock.ts', 'ajv']],
  ['src-main/cli/run-demo.ts', ['../domain/rules.ts', '../runtime/decide.ts', '../compose-worker.ts']],
  ['src-main/shell/window.ts', ['electron', '../ipc/serve.ts']],
  ['src-main/shell/preload/start.ts', ['electron', '../../../src-shared/vocabulary.ts']],
  ['src-renderer/app/router.ts', ['../features/inbox/inbox.tsx', 'react']],
  ['src-renderer/features/inbox/inbox.tsx', ['../../components/table.tsx', 'react']],
  ['src-renderer/components/table.tsx', ['react', '../../src-shared/vocabulary.ts']],
  ['test/builders.ts', []],
  // The other half of the circle above: a circle is reported once, at one of its files.
  ['src-main/domain/circle-b.ts', ['./circle-a.ts']],
];

const folder = mkdtempSync(join(tmpdir(), 'countersign-boundaries-'));
let found: { from: string; rule: string }[];

beforeAll(async () => {
  for (const name of packages) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  write(
    'package.json',
    JSON.stringify({ name: 'fixture', dependencies: Object.fromEntries(packages.map((name) => [name, '1.0.0'])) }),
  );
  for (const [file, imports] of importsByFile()) {
    write(
      file,
      imports
        .map((name, index) => `import type * as i${index} from '${name}';\nexport type E${index} = typeof i${index};\n`)
        .join(''),
    );
  }
  const options = {
    ...configuration.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: configuration.forbidden },
  };
  const { output } = await cruise(['src-main', 'src-renderer', 'src-shared'], options);
  found = (output as ICruiseResult).summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('import boundaries', () => {
  it.each(violations)('%s importing %s breaks %s', (file, _imported, rule) => {
    expect(found).toContainEqual({ from: file, rule });
  });

  it.each(allowed)('%s is left in peace', (file) => {
    expect(found.filter(({ from }) => from === file)).toEqual([]);
  });

  it('have no rule that this test does not break', () => {
    expect(configuration.forbidden.map(({ name }) => name).toSorted()).toEqual(
      [...new Set(violations.map(([, , rule]) => rule))].toSorted(),
    );
  });
});

function importsByFile(): Map<string, string[]> {
  const files = new Map<string, string[]>(allowed);
  for (const [file, imported] of violations) {
    files.set(file, [...new Set([...(files.get(file) ?? []), imported])]);
  }
  return files;
}

function write(file: string, content: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
