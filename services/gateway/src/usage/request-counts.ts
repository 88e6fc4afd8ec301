import { type Collection, compareAndSet, type DocumentStore, type Job } from '@svc/document-store';
import { type Clock, iso } from '@svc/kernel';
import { logFailure, type BackgroundWork, type Logger, repeatedWork } from '@svc/service';

/** Requests of an account and environment on one day, UTC. `_id`: `live.acct_… 2026-03-01`. */
export interface RequestCount extends Job {
  count: number;
  due_at: number;
}

export const requestCountRows = (documents: DocumentStore): Collection<RequestCount> =>
  documents.collection('request_counts', { indexes: [{ fields: ['due_at'] }] });

export interface RequestCounts {
  /** Counts a request of an account and environment (`live.acct_…`). */
  note(scope: string): void;
  /** The last 30 days, the oldest first. */
  days(scope: string): Promise<{ day: string; count: number }[]>;
  work: BackgroundWork;
}

const DAY_MS = 86_400_000;
const DAYS = 30;
const WRITE_EVERY_MS = 2_000;
const MOST_NOTED = 20_000;
const AT_ONCE = 50;

/** Collects counts in memory and writes them every 2 s; the end of the process loses those. */
export function createRequestCounts({
  rows,
  clock,
  logger,
}: {
  rows: Collection<RequestCount>;
  clock: Clock;
  logger: Logger;
}): RequestCounts {
  let noted = new Map<string, number>();
  const dayAt = (ms: number): string => iso(ms).slice(0, 10);
  let today = { since: 0, name: '' };
  const dayNow = (): string => {
    const now = clock.now();
    if (now < today.since || now >= today.since + DAY_MS) today = { since: now - (now % DAY_MS), name: dayAt(now) };
    return today.name;
  };

  const add = async (_id: string, count: number): Promise<void> => {
    const due_at = clock.now() + (DAYS + 1) * DAY_MS;
    await compareAndSet<RequestCount, RequestCount>(rows, _id, {
      absent: () => ({ _id, version: 1, count, due_at }),
      change: ({ count: before }) => ({ count: before + count }),
      tries: 20,
    });
  };
  async function write(): Promise<void> {
    const all = [...noted];
    noted = new Map();
    for (let n = 0; n < all.length; n += AT_ONCE) {
      const slice = all.slice(n, n + AT_ONCE);
      await Promise.all(
        slice.map(([id, count]) => add(id, count).catch((error: unknown) => logFailure(logger, error, 'requests were not counted'))),
      );
    }
  }

  return {
    note(scope) {
      const id = `${scope} ${dayNow()}`;
      if (noted.size < MOST_NOTED || noted.has(id)) noted.set(id, (noted.get(id) ?? 0) + 1);
    },
    async days(scope) {
      const now = clock.now();
      const names = Array.from({ length: DAYS }, (_, n) => dayAt(now - (DAYS - 1 - n) * DAY_MS));
      const counts = new Map<string, number>();
      for await (const { _id, count } of rows.find({ _id: { $in: names.map((day) => `${scope} ${day}`) } }, { limit: DAYS }))
        counts.set(_id, count);
      return names.map((day) => ({ day, count: counts.get(`${scope} ${day}`) ?? 0 }));
    },
    work: repeatedWork({ name: 'request_counts', every: WRITE_EVERY_MS, clock, run: write, last: write }),
  };
}
