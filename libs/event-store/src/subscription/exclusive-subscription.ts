import { holdLease, type Collection, type Lease } from '@svc/document-store';
import type { Position } from '@svc/kernel';
import type { Stop } from '../port.ts';
import { startSubscription, type Subscription, type SubscriptionOptions } from './subscription.ts';

export interface ExclusiveSubscriptionOptions extends SubscriptionOptions {
  leases: Collection<Lease>;
  /** As in `holdLease`. */
  holder: string;
}

export interface ExclusiveSubscription extends Subscription {
  /** How often this process has taken the subscription over; undefined while it does not run here. */
  epoch(): number | undefined;
}

export interface ExclusiveSubscriptions {
  /** In the order in which they were requested. */
  subscriptions: Omit<Subscription, 'stop'>[];
  stop: Stop;
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
  const { run, over: _, ...subscription } = underLease(options);
  const { name, clock, logger } = options;
  const lease = holdLease({ leases, name, holder, clock, logger, run });
  return { ...subscription, stop: () => lease.stop() };
}

/**
 * Subscriptions that run in one replica at a time, all by the lease `name`. Each has a checkpoint of its own, and none waits for another, also when the
 * lease is lost and taken again while one of them is in the middle of a batch.
 */
export function startExclusiveSubscriptions(
  { leases, holder, ...shared }: SubscriptionContext & { name: string },
  each: readonly Pick<SubscriptionOptions, 'name' | 'handle' | 'concerns'>[],
): ExclusiveSubscriptions {
  const { name, clock, logger } = shared;
  const all = each.map((one) => underLease({ ...shared, ...one }));
  let isStopping = false;
  async function run(lost: AbortSignal): Promise<void> {
    const running = Promise.all(all.map((one) => one.run(lost)));
    await Promise.race([running, aborted(lost)]);
    if (isStopping) await running;
  }
  const lease = holdLease({ leases, name, holder, clock, logger, run });
  return {
    subscriptions: all.map(({ run: _, over: __, ...subscription }) => subscription),
    async stop() {
      isStopping = true;
      await lease.stop();
      await Promise.all(all.map((one) => one.over()));
    },
  };
}

/** `run`: the job of a lease. */
function underLease(options: SubscriptionOptions) {
  const { name, checkpoints, clock } = options;
  let own: Subscription | undefined;
  /** Resolves when the last batch of the time before is handled. */
  let ended = Promise.resolve();
  let epochs = 0;
  let looking: Promise<Position> | undefined;
  let seen: Position = 0n;

  /** One check at a time, for all waiting callers. */
  function look(): Promise<Position> {
    looking ??= checkpoints
      .get(name)
      .then((checkpoint) => (seen = BigInt(checkpoint?.position ?? 0)))
      .finally(() => (looking = undefined));
    return looking;
  }

  return {
    async run(lost: AbortSignal): Promise<void> {
      await ended;
      if (lost.aborted) return;
      const subscription = startSubscription(options);
      own = subscription;
      epochs += 1;
      await aborted(lost);
      own = undefined;
      await (ended = subscription.stop());
    },
    /** Resolves when no batch is in hand any more; call it when the lease is let go. */
    over: (): Promise<void> => ended,
    position: (): Position => own?.position() ?? seen,
    async waitFor(position: Position, withinMs: number): Promise<boolean> {
      const until = clock.now() + withinMs;
      for (let pause = LOOK_AGAIN_MS.first; ; pause = Math.min(pause * 2, LOOK_AGAIN_MS.most)) {
        if (own) return own.waitFor(position, Math.max(0, until - clock.now()));
        if ((await look()) >= position) return true;
        if (clock.now() >= until) return false;
        await clock.sleep(pause);
      }
    },
    epoch: (): number | undefined => (own ? epochs : undefined),
    isBehind: async (): Promise<boolean> => own?.isBehind() ?? false,
    lagSeconds: async (): Promise<number> => own?.lagSeconds() ?? 0,
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
