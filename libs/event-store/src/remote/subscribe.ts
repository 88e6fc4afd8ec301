import type { Clock, Position } from '@svc/kernel';
import type { EventStore, HandleBatch, Stop } from '../port.ts';
import { createInbox } from './inbox.ts';
import { SILENT, type Subscribe } from './shared-tail.ts';

export interface SubscriptionOptions {
  subscribe: Subscribe;
  head: EventStore['head'];
  clock: Clock;
  logger: RemoteLog;
}

export interface RemoteLog {
  warn(fields: object, message: string): void;
}

const SILENT_MS = 5_000;
const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 1_000;
const LOG_AGAIN_MS = 60_000;

/** One subscription after another, each from where the last one broke off: none resumes by itself. */
export function followBySubscription(options: SubscriptionOptions, from: Position, handle: HandleBatch): Stop {
  const { subscribe, head, clock, logger } = options;
  const stopping = new AbortController();
  const inbox = createInbox({ from, handle, clock, stopped: stopping.signal });

  /** Ends a subscription that is silent although there are newer events: neither server nor network reliably reports a dead one. */
  async function watch(subscription: AbortController): Promise<void> {
    while (!subscription.signal.aborted) {
      const before = inbox.position();
      const isSilent = (): boolean => inbox.position() === before && !inbox.isFull();
      await clock.sleep(SILENT_MS, subscription.signal);
      const newest = isSilent() ? await head().catch(() => undefined) : undefined;
      if (newest === undefined || (newest <= before && inbox.isLive())) continue;
      await clock.sleep(SILENT_MS, subscription.signal);
      if (isSilent()) subscription.abort(SILENT);
    }
  }

  async function receive(): Promise<void> {
    let loggedAt = -Infinity;
    for (let delay = FIRST_DELAY_MS; !stopping.signal.aborted; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      const before = inbox.position();
      const subscription = new AbortController();
      void watch(subscription);
      const error = await subscribe(AbortSignal.any([stopping.signal, subscription.signal]), inbox).catch((reason: unknown) => reason);
      subscription.abort();
      inbox.setLive(false);
      if (stopping.signal.aborted) return;
      if (inbox.position() > before) delay = FIRST_DELAY_MS;
      if (delay === FIRST_DELAY_MS || clock.now() - loggedAt >= LOG_AGAIN_MS) {
        loggedAt = clock.now();
        logger.warn(whyOf(error, inbox.position()), 'a subscription broke off and is made again');
      }
      await clock.sleep(delay, stopping.signal);
    }
  }

  const done = Promise.all([receive(), inbox.done]);
  return async () => {
    stopping.abort();
    await done;
  };
}

/** Logs the first of a series of failures, and then one a minute, briefly. */
function whyOf(error: unknown, position: Position): object {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  return { code, reason: message, position: String(position) };
}
