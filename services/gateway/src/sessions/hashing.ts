import { createFairQueue, DomainError } from '@svc/kernel';

/** Runs work that takes a processor, at most two at once in this process; the rest waits, by address. */
export interface Hashing {
  /** Throws `rate_limit_exceeded` where 200 wait, or 5 of this address. */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

const AT_ONCE = 2;
const LIMITS = { waitingInAll: 200, waitingPerAccount: 5, known: 10_000 };

export function createHashing(): Hashing {
  const waiting = createFairQueue<() => void>(LIMITS);
  let running = 0;

  /** Hands the place on, or frees it. */
  const end = (address: string): void => {
    waiting.charge(address, 1);
    const next = waiting.take();
    if (next) next.job();
    else running -= 1;
  };

  return {
    async run(address, work) {
      if (running < AT_ONCE) running += 1;
      else {
        const turn = Promise.withResolvers<void>();
        if (!waiting.add(address, turn.resolve)) throw tooMany();
        await turn.promise;
      }
      try {
        return await work();
      } finally {
        end(address);
      }
    },
  };
}

const tooMany = (): DomainError =>
  new DomainError('rate_limit_exceeded', 'Too many sign-ins wait here. Try again in some seconds.', { limit: ['sign_in'] }, 2);
