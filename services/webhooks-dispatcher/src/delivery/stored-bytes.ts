import type { StoredBytesCount } from '@svc/service';
import type { Attempt, Delivery } from './delivery.ts';

/** What a delivery and an attempt without its texts take as JSON, with their entries in the indexes. */
const ROW = 500;
const ATTEMPT = 250;

const DAY_MS = 86_400_000;

/** When what is stored of deliveries now is removed, by the day; both in milliseconds since 1970. */
export const removedAfter =
  (keepDays: number) =>
  (now: number): number =>
    (Math.ceil(now / DAY_MS) + keepDays) * DAY_MS;

/** Counts new deliveries: an account with 20 endpoints stores each event twenty times. */
export function countMade(stored: StoredBytesCount, made: readonly Delivery[]): void {
  for (const { account } of made) stored.add(account, ROW);
}

/** Counts the last attempt of a delivery, with the texts that it keeps. */
export function countAttempt(stored: StoredBytesCount, { account, attempts }: Delivery): void {
  const last = attempts.at(-1);
  if (last) stored.add(account, attemptBytes(last));
}

const attemptBytes = ({ error, response_body: body }: Attempt): number =>
  ATTEMPT + Buffer.byteLength(error ?? '') + Buffer.byteLength(body ?? '');
