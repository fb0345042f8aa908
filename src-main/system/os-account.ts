import { userInfo } from 'node:os';

/** The operating-system account this process runs under: a stable name for it, and one for people. */
export interface OsAccount {
  account: string;
  name: string;
}

export function currentOsAccount(): OsAccount {
  const { uid, username } = userInfo();
  // Windows has no numeric id here; there the account name is the identity.
  return { account: uid >= 0 ? `uid:${uid}` : `user:${username}`, name: username };
}
