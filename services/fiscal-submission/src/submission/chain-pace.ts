import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import { MAX_SENDING_WAIT_MS } from './domain/next-step.ts';
import type { Chains } from '../chain/chains.ts';

/** When the next sending of a chain may begin, and how far its records have their outcome. `_id`: the chain's stream. */
export interface ChainPace extends Doc {
  /** Milliseconds since 1970. */
  next_at: number;
  /** Position of the last record of the last sending. */
  sent: number;
}

type Paces = Pick<Collection<ChainPace>, 'get'>;

/** Writes what an answer says of the next sending. It is advice to this and other processes: none of them is held by it for longer than an hour. */
export async function setPace(
  paces: Collection<ChainPace>,
  chain: string,
  { next_at, sent }: Pick<ChainPace, 'next_at' | 'sent'>,
): Promise<void> {
  await compareAndSet<ChainPace, ChainPace>(paces, chain, {
    absent: () => ({ _id: chain, version: 1, next_at, sent }),
    change: (before) => ({ next_at, sent: Math.max(before.sent, sent) }),
    tries: 20,
  });
}

/**
 * The time before which the record at `position` is not sent: that of the last answer, unless as many records wait as one sending has. Undefined: at once.
 * @param now milliseconds since 1970
 */
export async function pacedUntil(
  { paces, chains }: { paces: Paces; chains: Pick<Chains, 'head'> },
  { chain, position, batch }: { chain: string; position: number; batch: number },
  now: number,
): Promise<number | undefined> {
  const pace = await paces.get(chain);
  if (!pace || pace.next_at <= now || pace.next_at > now + MAX_SENDING_WAIT_MS) return undefined;
  const head = await chains.head(chain);
  const waiting = head === 'none' ? 0 : Number(head) + 1 - (position - 1);
  return waiting >= batch ? undefined : pace.next_at;
}

/** Sendings that are to come before the one that has the record at `position`: at least one. */
export async function sendingsBefore(
  { paces }: { paces: Paces },
  { chain, position, batch }: { chain: string; position: number; batch: number },
): Promise<number> {
  const sent = (await paces.get(chain))?.sent ?? 0;
  return Math.max(1, Math.ceil((position - sent) / batch));
}
