import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import { millisOf } from '@svc/kernel';
import type { EventRow, WebhookEvent } from './event.ts';

/** Up to which position a part of a topic was handled, as events that were removed since show. `_id`: `invoice 7`. */
export interface Handled extends Doc {
  /** In decimal text. */
  at: string;
}

export type HandledPositions = Collection<Handled>;

export const HANDLED = 'handled_positions';

/** A topic has the events of one kind of resource. */
const partOf = (type: string, part: string): string => `${type.slice(0, type.indexOf('.'))} ${part}`;

/** Before these rows are removed: that their events were handled, and all before them in their parts. */
export async function noteHandled(handled: HandledPositions, rows: readonly EventRow[]): Promise<void> {
  const highest = new Map<string, bigint>();
  for (const { type, position } of rows) {
    if (!position) continue;
    const part = partOf(type, position.part);
    const at = BigInt(position.at);
    if (at > (highest.get(part) ?? -1n)) highest.set(part, at);
  }
  await Promise.all(
    [...highest].map(([_id, at]) =>
      compareAndSet(handled, _id, {
        absent: () => ({ _id, version: 1, at: String(at) }),
        change: (before) => (BigInt(before.at) < at ? { at: String(at) } : undefined),
      }),
    ),
  );
}

/**
 * Without those that are older than events are kept, from `keptFrom` (milliseconds since 1970) on, and were handled or are of before a restore. A group whose offsets the broker has
 * forgotten reads its topics again from the first event on, and the rows that would show what was delivered are gone. A dead letter is handled whenever it comes: it
 * has no end of its part.
 */
export async function notHandled(handled: HandledPositions, received: WebhookEvent[], keptFrom: number): Promise<WebhookEvent[]> {
  const isOld = ({ event }: WebhookEvent): boolean => millisOf(event.time) < keptFrom;
  const old = received.filter(isOld);
  if (old.length === 0) return received;
  const parts = [...new Set(old.flatMap(({ type, position }) => (position?.end === undefined ? [] : [partOf(type, position.part)])))];
  const found = await Array.fromAsync(handled.find({ _id: { $in: parts } }, { limit: parts.length }));
  const ends = new Map(found.map(({ _id, at }) => [_id, BigInt(at)]));
  const wasHandled = ({ type, position }: WebhookEvent): boolean =>
    position?.end !== undefined && position.at <= (ends.get(partOf(type, position.part)) ?? -1n);
  return received.filter((one) => !isOld(one) || (!one.event.republished && !wasHandled(one)));
}
