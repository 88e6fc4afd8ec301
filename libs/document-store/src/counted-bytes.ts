import type { Clock } from '@svc/kernel';
import { compareAndSet } from './compare-and-set.ts';
import type { Collection, Doc } from './port.ts';

/** Bytes of an account by the hour since 1970 in which they are removed. `_id` is the account. */
export interface CountedBytes extends Doc {
  hours: Record<string, number>;
}

export interface ByteCounterOptions<Row extends CountedBytes> {
  rows: Collection<Row>;
  clock: Clock;
  logger: { error(fields: object, message: string): void };
  /** When bytes that are stored now are removed, both in milliseconds since 1970. */
  removedAt: (now: number) => number;
}

const HOUR_MS = 3_600_000;
/** Replicas collide only with each other. */
const TRIES = 50;
/** Counts that are written at once. */
const WRITES = 100;

/**
 * Counts bytes that accounts store: in memory, and in rows once `write` is called. Nothing is subtracted when they are removed: their hour passes. So what a crash
 * loses of a count is right again once what was stored then is removed.
 */
export function createByteCounter<Row extends CountedBytes>({ rows, clock, logger, removedAt }: ByteCounterOptions<Row>) {
  const waiting = new Map<string, number>();

  const add = (account: string, bytes: number): void => void waiting.set(account, (waiting.get(account) ?? 0) + bytes);

  async function writeOne(account: string, bytes: number): Promise<void> {
    const now = clock.now();
    const hour = String(Math.ceil(removedAt(now) / HOUR_MS));
    await compareAndSet<Row, Row>(rows, account, {
      absent: () => ({ _id: account, version: 1, hours: { [hour]: bytes } }) as Row,
      change: ({ hours }) => ({ hours: { ...present(hours, now), [hour]: (hours[hour] ?? 0) + bytes } }) as Partial<Row>,
      tries: TRIES,
    });
  }

  return {
    add,
    /** Bytes of the account that are not written yet. */
    waiting: (account: string): number => waiting.get(account) ?? 0,
    /** Adds what waits to the rows. What cannot be written is written the next time. */
    async write(): Promise<void> {
      const counts = [...waiting];
      waiting.clear();
      for (let n = 0; n < counts.length; n += WRITES) {
        await Promise.all(
          counts.slice(n, n + WRITES).map(([account, bytes]) =>
            writeOne(account, bytes).catch((error: unknown) => {
              logger.error({ err: error }, 'bytes that an account has stored are not counted yet');
              add(account, bytes);
            }),
          ),
        );
      }
    },
  };
}

/** What of it is not removed yet. `now`: milliseconds since 1970. */
export const countedIn = ({ hours }: CountedBytes, now: number): number =>
  Object.values(present(hours, now)).reduce((sum, bytes) => sum + bytes, 0);

const present = (hours: CountedBytes['hours'], now: number): CountedBytes['hours'] =>
  Object.fromEntries(Object.entries(hours).filter(([hour]) => Number(hour) * HOUR_MS > now));
