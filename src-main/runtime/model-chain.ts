import type { Configuration } from '../domain/configuration.ts';
import { isAsTrusted, trustZoneOf } from '../domain/trust-zone.ts';
import type { SegmentPorts } from './segment-ports.ts';

/**
 * The configurations whose models are asked, one after the other until one answers: the
 * run's own, then its fallbacks as they are now. One that is gone, switched off or further
 * away than the run's own is left out: it would be given what its zone forbids.
 */
export async function modelChain({ store }: Pick<SegmentPorts, 'store'>, own: Configuration): Promise<Configuration[]> {
  const chain = [own];
  for (const identifier of own.settings.fallbacks) {
    const next = await store.findConfiguration(identifier);
    const isUsable =
      next?.isActive === true &&
      !chain.some(({ id }) => id === next.id) &&
      isAsTrusted(trustZoneOf(next.settings), trustZoneOf(own.settings));
    if (isUsable) chain.push(next);
  }
  return chain;
}
