import { holdLease, type Collection, type Lease } from '@svc/document-store';
import type { Position } from '@svc/kernel';
import { startSubscription, type Subscription, type SubscriptionOptions } from './subscription.ts';

export interface ExclusiveSubscriptionOptions extends SubscriptionOptions {
  leases: Collection<Lease>;
  /** As in `holdLease`. */
  holder: string;
}

export interface ExclusiveSubscription extends Subscription {
  /** How often this process has taken the subscription over; undefined while it does not run here. */
  term(): number | undefined;
}

/** What every subscription of a process shares: the store, checkpoints, leases, clock. */
export type SubscriptionContext = Omit<ExclusiveSubscriptionOptions, 'name' | 'handle'>;

/** The delays of the first check and of later ones, which are longer since they cost work too. */
const LOOK_AGAIN_MS = { first: 5, most: 50 };

/**
 * A subscription that runs in one replica at a time, by the lease of its name. The others learn its position from its checkpoint, and take
 * over when the lease is free. So the memory of `handle` may be older than the events it gets next: another replica has handled those in
 * between.
 */
export function startExclusiveSubscription({ leases, holder, ...options }: ExclusiveSubscriptionOptions): ExclusiveSubscription {
  const { name, checkpoints, clock, logger } = options;
  let own: Subscription | undefined;
  let terms = 0;
  let looking: Promise<Position> | undefined;
  let seen: Position = 0n;

  const lease = holdLease({
    leases,
    name,
    holder,
    clock,
    logger,
    async run(lost) {
      const subscription = startSubscription(options);
      own = subscription;
      terms += 1;
      await aborted(lost);
      own = undefined;
      await subscription.stop();
    },
  });

  /** One check at a time, for all waiting callers. */
  function look(): Promise<Position> {
    looking ??= checkpoints
      .get(name)
      .then((checkpoint) => (seen = BigInt(checkpoint?.position ?? 0)))
      .finally(() => (looking = undefined));
    return looking;
  }

  return {
    position: () => own?.position() ?? seen,
    async waitFor(position, withinMs) {
      const until = clock.now() + withinMs;
      for (let pause = LOOK_AGAIN_MS.first; ; pause = Math.min(pause * 2, LOOK_AGAIN_MS.most)) {
        if (own) return own.waitFor(position, Math.max(0, until - clock.now()));
        if ((await look()) >= position) return true;
        if (clock.now() >= until) return false;
        await clock.sleep(pause);
      }
    },
    term: () => (own ? terms : undefined),
    isBehind: async () => own?.isBehind() ?? false,
    lagSeconds: async () => own?.lagSeconds() ?? 0,
    stop: () => lease.stop(),
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
