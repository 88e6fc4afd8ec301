import { createFairQueue, DomainError } from '@svc/kernel';
import { callerNetwork } from '@svc/service/addresses/caller-network';

/** Who waits. */
export interface Hasher {
  address: string;
  /** A browser that has signed in before, or a member who is signed in: they go first, and strangers do not fill what is theirs. */
  isKnown: boolean;
}

/** Runs work that takes a processor, at most two at once in this process; the rest waits, by address: IPv6 by its /64. */
export interface Hashing {
  /** Throws `rate_limit_exceeded` where 50 who are known wait, or 150 others, or 5 of this address. */
  run<T>(who: Hasher, work: () => Promise<T>): Promise<T>;
}

const AT_ONCE = 2;
const LIMITS = { waitingPerAccount: 5, known: 10_000 };
const [MOST_KNOWN, MOST_OTHERS] = [50, 150];

export function createHashing(): Hashing {
  const known = createFairQueue<() => void>({ ...LIMITS, waitingInAll: MOST_KNOWN });
  const others = createFairQueue<() => void>({ ...LIMITS, waitingInAll: MOST_OTHERS });
  let running = 0;

  /** Hands the permit on, or frees it. */
  const end = (queue: typeof known, network: string): void => {
    queue.charge(network, 1);
    const next = known.take() ?? others.take();
    if (next) next.job();
    else running -= 1;
  };

  return {
    async run({ address, isKnown }, work) {
      const [queue, network] = [isKnown ? known : others, callerNetwork(address)];
      if (running < AT_ONCE) running += 1;
      else {
        const turn = Promise.withResolvers<void>();
        if (!queue.add(network, turn.resolve)) throw tooMany();
        await turn.promise;
      }
      try {
        return await work();
      } finally {
        end(queue, network);
      }
    },
  };
}

const tooMany = (): DomainError =>
  new DomainError('rate_limit_exceeded', 'Too many sign-ins wait here. Try again in some seconds.', { limit: ['sign_in'] }, 2);
