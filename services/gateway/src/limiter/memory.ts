import type { Clock } from '@svc/kernel';
import { admit, type Counters, idleFrom, newCounters } from './counters.ts';
import type { Limiter, LimitResult } from './port.ts';

/** Counts in this process. A restart loses the counters. Synchronous. */
export interface MemoryLimiter extends Limiter {
  take(...args: Parameters<Limiter['take']>): LimitResult;
}

/** Scopes checked for each new one, so that idle ones are removed as fast as new ones are added. */
const LOOKS = 2;

/** Keeps at most `capacity` scopes of API keys and as many addresses, separately: many addresses do not evict a caller. */
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

/** Returns the counters of a scope, new ones for an unknown scope. */
function boundedCounters(capacity: number): (scope: string, now: number) => Counters {
  const scopes = new Map<string, Counters>();
  /** Removes the oldest scopes that are idle, and moves the others to the end of the order. */
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
