import type { Collection } from '@svc/document-store';
import type { Clock, Position } from '@svc/kernel';
import type { EventStore } from '../port.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { SubscriptionLog } from './subscription.ts';

export interface WithinStoreOptions {
  store: Pick<EventStore, 'head'>;
  checkpoints: Pick<Collection<Checkpoint>, 'find'>;
  clock: Pick<Clock, 'now' | 'sleep'>;
  logger: Pick<SubscriptionLog, 'error'>;
}

/** A node of the store may be behind the one that acknowledged the last events. */
const CATCH_UP_MS = 5_000;
const LOOK_MS = 500;
const LOG_AGAIN_MS = 60_000;

/**
 * Resolves when no checkpoint of a service lies beyond the end of the store. Call it before anything of the service starts. Where one does, the
 * store was restored from an earlier backup and the checkpoints were not dropped: its subscription would skip all new events up to there, and
 * look as if it had caught up. Then it logs an error that says what to do, each minute, and never resolves: the process is not ready and handles
 * nothing. It judges once, since other services may go on to write to the store.
 */
export async function checkpointsWithin({ store, checkpoints, clock, logger }: WithinStoreOptions): Promise<void> {
  let [furthest, subscription]: [Position, string] = [0n, ''];
  for await (const { _id, position } of checkpoints.find({}))
    if (BigInt(position) > furthest) [furthest, subscription] = [BigInt(position), _id];
  if (furthest === 0n) return;

  const until = clock.now() + CATCH_UP_MS;
  for (;;) {
    const head = await store.head();
    if (head >= furthest) return;
    if (clock.now() < until) await clock.sleep(LOOK_MS);
    else return handleNothing({ subscription, checkpoint: `${furthest}`, head: `${head}` });
  }

  async function handleNothing(found: object): Promise<never> {
    for (;;) {
      logger.error(
        found,
        'a checkpoint lies beyond the end of the event store, which was restored from an earlier backup: nothing is handled. ' +
          'Stop all services, drop the collections that are rebuilt, and start again: deploy/backup.md, Restore, "Where MongoDB is not empty"',
      );
      await clock.sleep(LOG_AGAIN_MS);
    }
  }
}
