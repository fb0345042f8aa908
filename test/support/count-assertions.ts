import { afterEach, expect } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** How many assertions this test made, told to reporters: `npm run cases` shows them beside the case they prove. */
    assertions?: number;
  }
}

afterEach(({ task }) => {
  task.meta.assertions = expect.getState().assertionCalls;
});
