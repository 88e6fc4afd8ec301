import { DomainError, iso, type Clock, type Position } from '@svc/kernel';
import { Counter } from 'prom-client';
import type { Subscription } from './subscription.ts';
import type { EventStore } from '../port.ts';

/** Less than the gateway waits for a list, more than twice what another replica takes to run a subscription whose process was killed: its lease of 4 s. */
const MAX_WAIT_MS = 10_000;
/** After so long a list looks whether its rows can be read at all and the disk takes writes, then after twice as long, at most half a second. */
const [FIRST_LOOK_MS, LAST_LOOK_MS] = [100, 500];
/** A resource has the time of its command, and its event a later one, by less than this: the bound that pollers are given for `created_at`. */
const CREATED_BEFORE_MS = 5_000;

const timeouts = new Counter({
  name: 'svc_read_barrier_timeouts_total',
  help: 'Lists that were answered 503, because their projection did not reach the newest event in time.',
});

export interface ReadBarrierOptions {
  store: Pick<EventStore, 'head' | 'refusesWrites' | 'subscribe'>;
  /** The subscription of the projection that is read. */
  subscription: Pick<Subscription, 'waitFor' | 'position'>;
  /** A read of the document store that costs little: where it fails, the subscription cannot get on, and the list fails alike. */
  readable: () => Promise<unknown>;
  clock: Clock;
}

/** The waits before a projection is read. Both throw `service_unavailable` when that takes longer than 10 s in all, and what `readable` throws. */
export interface ReadBarrier {
  /** Afterwards the projection holds everything that was stored at the call. */
  barrier(): Promise<void>;
  /**
   * The same for a list, but while the disk takes no writes it does not wait for what the projection lacks. Returns of when the projection is then: it holds
   * everything that was created before that time (ISO 8601). undefined: it holds everything. `waits` is called when it is not there at once, perhaps repeatedly.
   */
  asOf(waits?: () => void): Promise<string | undefined>;
}

/** The head is read once, so that continuous writes cannot delay a reader forever. */
export function createReadBarrier({ store, subscription, readable, clock }: ReadBarrierOptions): ReadBarrier {
  async function asOf(mayLack: () => boolean, waits?: () => void): Promise<string | undefined> {
    const until = clock.now() + MAX_WAIT_MS;
    const head = await store.head();
    for (let look = FIRST_LOOK_MS, left = until - clock.now(); left > 0; left = until - clock.now()) {
      if (await subscription.waitFor(head, Math.min(left, look))) return undefined;
      waits?.();
      if (mayLack()) return timeOfFirstAfter(store, subscription.position());
      await readable();
      look = Math.min(2 * look, LAST_LOOK_MS);
    }
    timeouts.inc();
    throw new DomainError('service_unavailable', 'The list does not show the newest changes yet. Repeat the request.', undefined, 1);
  }
  return {
    barrier: async () => void (await asOf(() => false)),
    asOf: (waits) => asOf(() => store.refusesWrites(), waits),
  };
}

/** Five seconds before the first event behind a position was recorded; undefined where there is none. */
async function timeOfFirstAfter(store: Pick<EventStore, 'subscribe'>, position: Position): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const stop = store.subscribe(position, async ({ events }) => resolve(events[0]?.recordedAt));
  const recordedAt = await promise;
  void stop();
  return recordedAt === undefined ? undefined : iso(recordedAt - CREATED_BEFORE_MS);
}
