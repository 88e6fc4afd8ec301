import { type Collection, type Documents, startDueWork } from '@svc/documents';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service-kit';
import type { Limiter } from './port.ts';
import { type LimitRow, limitRows, sharedLimiter } from './shared.ts';

/** A limiter over all replicas on this database, with the work that removes what is idle. */
export function startSharedLimiter(parts: { documents: Documents; clock: Clock; logger: Logger }): Limiter {
  const { documents, clock, logger } = parts;
  const rows = limitRows(documents);
  const removal = startDueWork({ name: 'due:limits', collection: rows, clock, logger, handle: (idle) => removeIdle(rows, idle) });
  return { ...sharedLimiter({ rows, clock, logger }), stop: () => removal.stop() };
}

/** Removes rows that say nothing any more, in two steps, so that no count is lost: nobody counts on a row that is leaving. */
export async function removeIdle(rows: Collection<LimitRow>, idle: readonly LimitRow[]): Promise<void> {
  for (const { _id, version } of idle) {
    const [leaving] = await rows.claim({ _id, version }, { set: { leaving: true } });
    if (leaving !== undefined) await rows.write([{ delete: _id }]);
  }
}
