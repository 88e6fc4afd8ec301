import { type Collection, type DocumentStore, startJobs } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import { jobsWork, type Logger } from '@svc/service';
import type { Limiter } from './port.ts';
import { type LimitRow, limitRows, sharedLimiter } from './shared.ts';

/** A limiter for all replicas that share this database. */
export function createSharedLimiter({ documents, clock, logger }: { documents: DocumentStore; clock: Clock; logger: Logger }): Limiter {
  const rows = limitRows(documents);
  const removal = jobsWork('limits', rows, clock, () =>
    startJobs({ name: 'due:limits', collection: rows, clock, logger, handle: (idle) => removeIdle(rows, idle) }),
  );
  return { ...sharedLimiter({ rows, clock, logger }), removal };
}

/** Deletes idle rows at the version that was read: a row that was charged since stays. */
export const removeIdle = async (rows: Collection<LimitRow>, idle: readonly LimitRow[]): Promise<void> => {
  await rows.write(idle.map(({ _id, version }) => ({ delete: _id, version })));
};
