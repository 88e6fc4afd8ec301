import type { Clock } from '@svc/kernel';
import { admit, type Counters, idleFrom, newCounters } from './counters.ts';
import type { Limiter, LimitResult } from './port.ts';

/** Counts in this process alone; a restart forgets the windows. Answers at once, never with a promise. */
export interface MemoryLimiter extends Limiter {
  take(...args: Parameters<Limiter['take']>): LimitResult;
}

/** Scopes looked at for each new one, so that idle ones leave as fast as new ones come. */
const LOOKS = 2;

/** Remembers at most `capacity` scopes of callers with a key, and as many addresses: however many of these come, no caller is forgotten. */
export function memoryLimiter(clock: Pick<Clock, 'now'>, capacity = 200_000): MemoryLimiter {
  const callers = boundedCounters(capacity);
  const addresses = boundedCounters(capacity);
  return {
    take(scope, charge) {
      const now = clock.now();
      const counted = charge.windows[0]?.name === 'ip' ? addresses : callers;
      return admit(counted(scope, now), charge, now);
    },
  };
}

/** The counters of a scope, new ones when it is not known. */
function boundedCounters(capacity: number): (scope: string, now: number) => Counters {
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
  return (scope, now) => {
    let counters = scopes.get(scope);
    if (counters === undefined) {
      sweep(now);
      counters = newCounters();
      scopes.set(scope, counters);
    }
    return counters;
  };
}
