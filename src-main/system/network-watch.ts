import { networkInterfaces } from 'node:os';

const LOOK_MS = 5_000;

/** The addresses of this machine beside its own loopback. */
export function outerAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => !entry.internal)
    .map((entry) => entry.address);
}

/**
 * Calls back when this machine gets an address it did not have: a cable was plugged in,
 * a network was joined, a machine woke up elsewhere. Returns the way to stop. Does not
 * keep the process alive.
 */
export function watchNetwork(onJoined: () => void, addresses: () => string[] = outerAddresses): () => void {
  let known = new Set(addresses());
  const timer = setInterval(() => {
    const now = addresses();
    const hasJoined = now.some((address) => !known.has(address));
    known = new Set(now);
    if (hasJoined) onJoined();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
