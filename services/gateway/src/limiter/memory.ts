import type { Clock } from '@svc/kernel';
import { admit, type Counters, idleFrom, newCounters } from './counters.ts';
import type { Limiter, Verdict } from './port.ts';

/** Counts in this process alone; a restart forgets the windows. Answers at once, never with a promise. */
export interface MemoryLimiter extends Limiter {
  take(...args: Parameters<Limiter['take']>): Verdict;
}

/** Scopes looked at for each new one, so that idle ones leave as fast as new ones come. */
const LOOKS = 2;

/** Remembers at most `capacity` scopes. */
export function memoryLimiter(clock: Pick<Clock, 'now'>, capacity = 200_000): MemoryLimiter {
  const scopes = new Map<string, Counters>();
  /** A hand goes round all scopes: idle ones leave, others get to the end of the round. */
  const sweep = (now: number): void => {
    for (let look = 0; look < LOOKS; look += 1) {
      const oldest = scopes.entries().next().value;
      if (oldest === undefined) return;
      const [scope, counters] = oldest;
      scopes.delete(scope);
      if (idleFrom(counters) > now && scopes.size < capacity - 1) scopes.set(scope, counters);
    }
  };
  return {
    take(scope, charge) {
      const now = clock.now();
      let counters = scopes.get(scope);
      if (counters === undefined) {
        sweep(now);
        counters = newCounters();
        scopes.set(scope, counters);
      }
      return admit(counters, charge, now);
    },
  };
}
