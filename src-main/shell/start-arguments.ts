/** What the window was started with. Other arguments belong to Chromium. */
export interface StartArguments {
  databasePath: string | undefined;
  /** Proves that everything works, prints one line and quits. */
  isSmoke: boolean;
}

/** Reads `--db PATH` or `--db=PATH`, and `--smoke`. Faults: `--db` without a path, which must not come to the database of the data folder. */
export function startArguments(argv: readonly string[]): StartArguments {
  const isSmoke = argv.includes('--smoke');
  const index = argv.findIndex((argument) => argument === '--db' || argument.startsWith('--db='));
  if (index < 0) return { databasePath: undefined, isSmoke };
  const databasePath = argv[index]?.startsWith('--db=') ? argv[index].slice('--db='.length) : argv[index + 1];
  if (!databasePath || databasePath.startsWith('--')) throw new Error('--db needs the path of a database.');
  return { databasePath, isSmoke };
}
