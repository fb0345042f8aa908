import { Type } from 'typebox';
import { HealthView } from '../../views/health-view.ts';
import { SessionView } from '../../views/session-view.ts';
import { command, exactly, Nothing, query, topic } from '../entry.ts';

/** The host itself: who is signed in, how it is doing, another window. */
export const host = {
  'host.session': query({ input: Nothing, output: SessionView }),
  'host.health': query({ input: Nothing, output: HealthView }),
  'host.healthChanged': topic(Nothing),
  /** Pauses or resumes everything, in all processes. */
  'host.setPause': command({
    input: exactly({ isPaused: Type.Boolean() }),
    output: exactly({ isPaused: Type.Boolean() }),
    refusals: ['operator_unavailable', 'not_administrator', 'store_busy'],
  }),
  /** Opens another window on the same console; in a browser `address` is what to open, once. */
  'host.openWindow': command({
    input: Nothing,
    output: exactly({ address: Type.Union([Type.String(), Type.Null()]) }),
    refusals: [],
  }),
} as const;
