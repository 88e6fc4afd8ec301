import { type Collection, type DueWork, startDueWork } from '@svc/documents';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service-kit';
import type { IdempotencyRow } from './row.ts';

/** Removes keys whose time is over. */
export const startExpiry = ({ rows, clock, logger }: { rows: Collection<IdempotencyRow>; clock: Clock; logger: Logger }): DueWork =>
  startDueWork({
    name: 'due:idempotency_keys',
    collection: rows,
    clock,
    logger,
    handle: (expired) => rows.write(expired.map(({ _id }) => ({ delete: _id }))),
  });
