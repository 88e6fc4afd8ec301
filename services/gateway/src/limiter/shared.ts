import { compareAndSet, type Collection, type DocumentStore, type Job } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import { DomainError } from '@svc/kernel';
import { logFailure, type Logger } from '@svc/service';
import { admit, type Counters, idleFrom, memoryLimiter, newCounters } from './counters.ts';
import type { Charge, Limiter, LimitResult } from './port.ts';

/** All counters of one scope. `_id` is the scope. */
export interface LimitRow extends Job {
  counters: Counters;
  /** When the counters are idle and the row can be removed. */
  due_at: number;
}

export const limitRows = (documents: DocumentStore): Collection<LimitRow> =>
  documents.collection<LimitRow>('limits', { indexes: [{ fields: ['due_at'] }] });

interface Waiting {
  charge: Charge;
  resolve(result: LimitResult): void;
  reject(error: unknown): void;
}

/** Only replicas conflict with each other, so a few attempts usually suffice. */
const MOST_TRIES = 50;

/**
 * Counts exactly over all replicas that share the collection: one document per scope, changed by compare-and-set. A process has one change of
 * a scope in flight, which carries every waiting request. While the database is unavailable each replica counts by itself.
 */
export function sharedLimiter({ rows, clock, logger }: { rows: Collection<LimitRow>; clock: Clock; logger: Logger }): Limiter {
  const queues = new Map<string, Waiting[]>();
  const alone = memoryLimiter(clock);

  const serve = async (scope: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const turn = queue.splice(0);
      const charges = turn.map(({ charge }) => charge);
      try {
        const results = await change(rows, clock, scope, charges).catch((error: unknown) => {
          if (error instanceof DomainError) throw error;
          logFailure(logger, error, 'limits are counted by this process alone');
          return charges.map((charge) => alone.take(scope, charge));
        });
        turn.forEach(({ resolve }, n) => resolve(results[n] as LimitResult));
      } catch (error) {
        for (const { reject } of turn) reject(error);
      }
    }
    queues.delete(scope);
  };

  return {
    take: (scope, charge) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(scope);
        if (queue !== undefined) return void queue.push({ charge, resolve, reject });
        const started: Waiting[] = [{ charge, resolve, reject }];
        queues.set(scope, started);
        // In the next turn of the event loop, so that all requests of this turn share one change.
        setImmediate(() => void serve(scope, started));
      }),
  };
}

/** Charges the scope's document. Writes nothing when that changes no counter: no charge with a cost is admitted, and none is refused that was not before. */
async function change(rows: Collection<LimitRow>, clock: Clock, scope: string, charges: readonly Charge[]): Promise<LimitResult[]> {
  let results: LimitResult[] = [];
  const charged = (counters: LimitRow['counters'], now: number): Pick<LimitRow, 'counters' | 'due_at'> | undefined => {
    const before = JSON.stringify(counters);
    results = charges.map((charge) => admit(counters, charge, now));
    return JSON.stringify(counters) === before ? undefined : { counters, due_at: idleFrom(counters) };
  };
  await compareAndSet<LimitRow, LimitRow | undefined>(rows, scope, {
    absent() {
      const now = clock.now();
      const set = charged(newCounters(), now);
      // The first version is the time, so that a late removal of an earlier row of this scope finds no equal version.
      return set && { _id: scope, version: now, ...set };
    },
    change: ({ counters }) => charged(counters, clock.now()),
    tries: MOST_TRIES,
  });
  return results;
}
