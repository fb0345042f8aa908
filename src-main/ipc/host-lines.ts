/** What a host without a window prints when it is ready: where it is, what it opened, how to stop it. */
export function hostLines(
  address: string,
  installation: { paths: { database: string }; keyProtection: 'none' | 'passphrase' },
  isAtTerminal: boolean,
): string[] {
  const isProtected = installation.keyProtection === 'passphrase';
  return [
    `ready  ${address}`,
    `       database ${installation.paths.database}`,
    `       data key ${isProtected ? 'protected by a passphrase' : 'NOT protected by a passphrase (set COUNTERSIGN_PASSPHRASE before the first start)'}`,
    `       the address opens one window${isAtTerminal ? '; press Enter for another address' : ''}`,
    '       stop with Ctrl+C',
  ];
}
