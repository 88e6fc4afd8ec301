import { type Collection, type DueWork, startDueWork } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { IdempotencyRow } from './row.ts';

/** Longer than a removal may take. */
const REMOVAL_MS = 60_000;

/** Removes keys whose time is over. A key that a request runs under is looked at again when that may be over. */
export const startExpiry = ({ rows, clock, logger }: { rows: Collection<IdempotencyRow>; clock: Clock; logger: Logger }): DueWork =>
  startDueWork({
    name: 'due:idempotency_keys',
    collection: rows,
    clock,
    logger,
    handle: (due) => removeIdle(rows, due, clock.now()),
  });

/**
 * Takes the lease of each row that nobody has, over the version that was seen, and removes it. Whoever took the key over meanwhile has
 * a higher version and keeps it; whoever comes between the two is told to wait.
 */
export async function removeIdle(rows: Collection<IdempotencyRow>, due: readonly IdempotencyRow[], now: number): Promise<void> {
  const idle = due.filter(({ until }) => until <= now);
  const taken = await Promise.all(
    idle.map(({ _id, version }) => rows.claim({ _id, version }, { set: { until: now + REMOVAL_MS, due_at: now + REMOVAL_MS } })),
  );
  const gone = taken.flat().map(({ _id }) => ({ delete: _id }));
  if (gone.length > 0) await rows.write(gone);
}
