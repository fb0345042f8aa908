import { afterEach } from 'vitest';
import type { OpenService } from '../../src-main/compose.ts';
import type { RuntimeFixture } from './runtime.ts';

/** Takes services that are closed after each test; closing one waits for the clock of its fixture. */
export function useServices(): (service: OpenService, f: RuntimeFixture) => void {
  const services: [OpenService, RuntimeFixture][] = [];
  afterEach(async () => {
    for (const [service, f] of services.splice(0)) {
      const closing = service.close();
      await f.clock.advance(1_000);
      await closing;
    }
  });
  return (service, f) => void services.push([service, f]);
}
