/*
 * Who may import whom. The table of the architecture, line by line; test/tooling/boundaries.test.ts proves for each rule that it
 * can fail. Type imports count: a type is a dependency of the reader, and often of the next change.
 *
 * The parser is swc: the native TypeScript compiler has no programming interface that dependency-cruiser could use.
 */

const main = (name) => `^src-main/${name}/`;
const domain = main('domain');
const runtime = main('runtime');
const system = main('system');
const compose = '^src-main/compose(-worker|-care|-people|-planner|-sample)?\\.ts$';
const starts = '^src-main/(main|headless|worker|search-thread|tool-child|cli)\\.ts$';
/** The store shows others its port (for writers) or its queries (for readers), never its tables. */
const storePort = ['^src-main/store/run-store\\.ts$'];
const storeQueries = '^src-main/store/.+-quer(y|ies)\\.ts$';

/** `folders`: what may be imported beside src-shared and the own folder. `packages`: beside typebox, which describes our shapes. */
const layers = [
  { name: 'domain', folders: [], packages: ['ajv', 'ajv-formats', 'canonicalize'] },
  // The domain says what a clock is; system is where there is one.
  { name: 'system', folders: [domain], packages: ['better-sqlite3', 'pino'] },
  { name: 'store', folders: [domain, system], packages: ['better-sqlite3'] },
  { name: 'models', folders: [domain], packages: ['ajv', '@ai-sdk/[^/]+'] },
  { name: 'mcp', folders: [domain], packages: ['@modelcontextprotocol/[^/]+'] },
  { name: 'tools', folders: [domain, system], packages: ['better-sqlite3', 'diff'] },
  { name: 'runtime', folders: [domain, ...storePort], packages: [] },
  { name: 'chat', folders: [domain, ...storePort, runtime], packages: [] },
  { name: 'workers', folders: [domain, ...storePort, runtime, system], packages: [] },
  { name: 'ipc', folders: [domain, storeQueries, runtime, main('chat'), system], packages: ['ajv', 'ws'] },
  { name: 'cli', folders: [domain, runtime, main('ipc'), system, compose], packages: [] },
  { name: 'shell', folders: [compose, main('ipc'), system], packages: ['electron', 'electron-updater'] },
];

const inPackage = (names) => `(^|/)node_modules/(${names.join('|')})/`;

const layerRules = layers.flatMap(({ name, folders, packages }) => [
  {
    name: `${name}-imports-only-its-layers`,
    severity: 'error',
    from: { path: main(name) },
    to: { path: '^src-(main|renderer)/', pathNot: [main(name), ...folders] },
  },
  {
    name: `${name}-imports-only-its-packages`,
    severity: 'error',
    from: { path: main(name) },
    to: { path: inPackage(['.+']), pathNot: inPackage(['typebox', ...packages]) },
  },
]);

const coreRules = [
  {
    name: 'domain-is-pure',
    comment:
      'Only digest.ts hashes and only within-time.ts interrupts; all else of the outside world comes in as an argument.',
    severity: 'error',
    from: { path: domain, pathNot: '^src-main/domain/(digest|within-time)\\.ts$' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'digest-uses-only-crypto',
    severity: 'error',
    from: { path: '^src-main/domain/digest\\.ts$' },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
  },
  {
    name: 'within-time-uses-only-vm',
    severity: 'error',
    from: { path: '^src-main/domain/within-time\\.ts$' },
    to: { dependencyTypes: ['core'], pathNot: '^(node:)?vm$' },
  },
  {
    name: 'rules-leave-the-machine-alone',
    comment: 'Files, processes and the operating system are effects; they live at the edge.',
    severity: 'error',
    from: { path: ['^src-main/(chat|runtime)/'] },
    to: { dependencyTypes: ['core'], path: '^(node:)?(os|child_process|fs|fs/promises)$' },
  },
];

const wiringRules = [
  {
    name: 'compose-knows-no-shell',
    severity: 'error',
    from: { path: compose },
    to: { path: [main('shell'), main('cli'), starts, '^src-renderer/', inPackage(['electron'])] },
  },
  {
    name: 'starts-import-no-start',
    severity: 'error',
    from: { path: starts },
    to: { path: [starts, '^src-renderer/'] },
  },
  {
    name: 'only-main-knows-electron',
    severity: 'error',
    from: { path: starts, pathNot: '^src-main/main\\.ts$' },
    to: { path: [main('shell'), inPackage(['electron'])] },
  },
  {
    name: 'only-cli-uses-its-commands',
    severity: 'error',
    from: { path: starts, pathNot: '^src-main/cli\\.ts$' },
    to: { path: main('cli') },
  },
  {
    name: 'preload-knows-no-host',
    comment: 'It runs in the window, where the page is: the contract, Electron, and nothing that could act.',
    severity: 'error',
    from: { path: main('shell/preload') },
    to: {
      path: ['^src-main/', '^src-renderer/', inPackage(['.+'])],
      pathNot: [main('shell/preload'), inPackage(['electron'])],
    },
  },
  {
    name: 'preload-runs-in-a-sandbox',
    severity: 'error',
    from: { path: main('shell/preload') },
    to: { dependencyTypes: ['core'] },
  },
  ...['headless', 'worker', 'search-thread', 'cli', 'tool-child'].map((start) => ({
    name: `${start}-never-reaches-electron`,
    severity: 'error',
    from: { path: `^src-main/${start}\\.ts$` },
    to: { path: inPackage(['electron']), reachable: true },
  })),
  {
    name: 'no-unknown-place-in-main',
    comment: 'A new folder needs a decision record and a line in this file.',
    severity: 'error',
    from: { path: '^src-main/', pathNot: [...layers.map(({ name }) => main(name)), compose, starts] },
    to: {},
  },
];

const sharedAndRendererRules = [
  {
    name: 'shared-stands-alone',
    severity: 'error',
    from: { path: '^src-shared/' },
    to: { pathNot: ['^src-shared/', inPackage(['typebox'])] },
  },
  {
    name: 'renderer-knows-no-host',
    severity: 'error',
    from: { path: '^src-renderer/' },
    to: {
      path: [
        '^src-main/',
        inPackage(['electron', 'better-sqlite3', 'ajv', 'ai', '@ai-sdk/[^/]+', '@modelcontextprotocol/[^/]+']),
      ],
    },
  },
  {
    name: 'renderer-runs-in-a-browser',
    severity: 'error',
    from: { path: '^src-renderer/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'a-feature-never-imports-another',
    severity: 'error',
    from: { path: '^src-renderer/features/([^/]+)/' },
    to: { path: '^src-renderer/features/', pathNot: '^src-renderer/features/$1/' },
  },
  {
    name: 'features-know-no-app',
    severity: 'error',
    from: { path: '^src-renderer/features/' },
    to: { path: '^src-renderer/app/' },
  },
  {
    name: 'components-know-no-feature',
    severity: 'error',
    from: { path: '^src-renderer/components/' },
    to: { path: '^src-renderer/(app|features|api)/' },
  },
  {
    name: 'api-knows-no-screen',
    severity: 'error',
    from: { path: '^src-renderer/api/' },
    to: { path: '^src-renderer/(app|features|components)/' },
  },
];

const generalRules = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'no-unresolvable-import', severity: 'error', from: {}, to: { couldNotResolve: true } },
  { name: 'sources-import-no-tests', severity: 'error', from: { path: '^src-' }, to: { path: '^(test|scripts)/' } },
];

module.exports = {
  forbidden: [...generalRules, ...layerRules, ...coreRules, ...wiringRules, ...sharedAndRendererRules],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
