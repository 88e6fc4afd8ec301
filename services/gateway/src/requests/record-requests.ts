import { type Clock, iso } from '@svc/kernel';
import { logFailure, type BackgroundWork, type Logger, repeatedWork } from '@svc/service';
import type { Collection } from '@svc/document-store';
import type { RefusedRequest } from './row.ts';

export interface RequestRecorder {
  /** Takes a row for the next write; of repeated 429s of a caller one a minute. */
  note(row: Omit<RefusedRequest, 'version' | 'due_at'>): void;
  work: BackgroundWork;
}

const KEPT_MS = 30 * 86_400_000;
const WRITE_EVERY_MS = 500;
const MOST_WAITING = 5_000;
const AT_ONCE = 500;
/** Of an account and environment. */
const MOST_KEPT = 10_000;
const MINUTE_MS = 60_000;
const MOST_LIMITED = 20_000;

/** Collects rows and writes them every half second; the end of the process loses those. Beyond 10,000 of an environment the oldest are removed. */
export function createRequestRecorder({
  rows,
  clock,
  logger,
}: {
  rows: Collection<RefusedRequest>;
  clock: Clock;
  logger: Logger;
}): RequestRecorder {
  let waiting: RefusedRequest[] = [];
  /** Callers who were refused by a limit, with the minute. */
  const limited = new Map<string, number>();

  const isRepeated = ({ status, scope, key_id, member_id }: Omit<RefusedRequest, 'version' | 'due_at'>): boolean => {
    if (status !== 429) return false;
    const [caller, minute] = [`${scope} ${key_id ?? member_id ?? ''}`, Math.floor(clock.now() / MINUTE_MS)];
    if (limited.get(caller) === minute) return true;
    if (limited.size >= MOST_LIMITED) limited.clear();
    limited.set(caller, minute);
    return false;
  };

  async function write(): Promise<void> {
    const all = waiting;
    waiting = [];
    for (let n = 0; n < all.length; n += AT_ONCE) await rows.write(all.slice(n, n + AT_ONCE).map((row) => ({ insert: row })));
    for (const scope of new Set(all.map((row) => row.scope))) await removeOldest(scope);
  }

  async function removeOldest(scope: string): Promise<void> {
    const over = (await rows.count({ scope })) - MOST_KEPT;
    if (over <= 0) return;
    const oldest = await Array.fromAsync(rows.find({ scope }, { sort: { _id: 1 }, limit: Math.min(over, AT_ONCE) }));
    await rows.write(oldest.map(({ _id }) => ({ delete: _id })));
  }

  return {
    note(row) {
      if (waiting.length >= MOST_WAITING || isRepeated(row)) return;
      waiting.push({ ...row, version: 1, due_at: clock.now() + KEPT_MS });
    },
    work: repeatedWork({
      ...{ name: 'requests', every: WRITE_EVERY_MS, clock },
      run: () => write().catch((error: unknown) => logFailure(logger, error, `refused requests were not recorded at ${iso(clock.now())}`)),
    }),
  };
}
