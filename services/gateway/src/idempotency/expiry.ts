import { type Collection, type JobQueue, startJobs } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { IdempotencyRow } from './row.ts';

/** Lease of a removal: longer than it takes. */
const REMOVAL_MS = 60_000;

/** Removes expired keys. A key under which a request runs is checked again when its lease has expired. */
export const startExpiry = ({ rows, clock, logger }: { rows: Collection<IdempotencyRow>; clock: Clock; logger: Logger }): JobQueue =>
  startJobs({
    name: 'due:idempotency_keys',
    collection: rows,
    clock,
    logger,
    handle: (due) => removeIdle(rows, due, clock.now()),
  });

/**
 * Takes the lease of each row whose lease is free, by compare-and-set on the version that was read, and deletes the row. A request that took
 * the key over in between has a higher version and keeps it. A request between lease and deletion is answered 409.
 */
export async function removeIdle(rows: Collection<IdempotencyRow>, due: readonly IdempotencyRow[], now: number): Promise<void> {
  const idle = due.filter(({ until }) => until <= now);
  const taken = await Promise.all(
    idle.map(({ _id, version }) => rows.claim({ _id, version }, { set: { until: now + REMOVAL_MS, due_at: now + REMOVAL_MS } })),
  );
  const gone = taken.flat().map(({ _id }) => ({ delete: _id }));
  if (gone.length > 0) await rows.write(gone);
}
