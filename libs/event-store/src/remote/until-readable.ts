import type { Clock, Conflict } from '@svc/kernel';
import type { EventStore } from '../port.ts';

const WITHIN_MS = 2_000;

/** A server may report a conflict before its cause can be read, and callers read immediately after one. */
export async function untilReadable({ stream, actual }: Conflict, read: EventStore['read'], clock: Clock): Promise<void> {
  if (actual === 'none') return;
  const until = clock.now() + WITHIN_MS;
  while ((await read(stream, actual, 1)).length === 0 && clock.now() < until) await clock.sleep(5);
}
