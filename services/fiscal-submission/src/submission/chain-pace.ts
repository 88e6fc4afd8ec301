import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import { MAX_SENDING_WAIT_MS } from './domain/next-step.ts';
import { waitGoesOn } from './domain/wait.ts';
import type { Chains } from '../chain/chains.ts';

/** When the next sending of a chain may begin, and how far its records have their outcome. `_id`: the chain's stream. */
export interface ChainPace extends Doc {
  /** Milliseconds since 1970. */
  next_at: number;
  /** Position of the last record of the last sending. */
  sent: number;
  /** Most records of the next sending, after one that was refused for what one of its records may be; null: as many as the authority takes. */
  most: number | null;
  /** Whose chain it is. */
  of: string;
  /** When records of it were judged last, in milliseconds since 1970; null: since then one has ended without. Absent: none was. */
  judged_at?: number | null;
}

export const paceIndexes = [{ fields: ['of', 'judged_at'], present: 'judged_at' }];

type Paces = Pick<Collection<ChainPace>, 'get'>;

/** What a sending says of the next one. */
export interface Said extends Pick<ChainPace, 'next_at' | 'sent' | 'of'> {
  /** `narrower`: half as many records as it had, so that the refused one is found; `wider`: its records are judged; `same`: nothing is known. */
  next: 'narrower' | 'wider' | 'same';
  records: number;
  /** When it judged one of its records, in milliseconds since 1970; null: one of them ends without. Undefined: neither. */
  judged_at: number | null | undefined;
  /** Most records that the authority takes. */
  batch: number;
}

/** Writes what an answer says of the next sending. It is advice to this and other processes: none of them is held by it for longer than an hour. */
export async function setPace(paces: Collection<ChainPace>, chain: string, { next_at, sent, of, judged_at, ...said }: Said): Promise<void> {
  const judged = { of, ...(judged_at !== undefined && { judged_at }) };
  await compareAndSet<ChainPace, ChainPace>(paces, chain, {
    absent: () => ({ _id: chain, version: 1, next_at, sent, ...judged, most: mostAfter(null, said) }),
    change: (before) => ({ next_at, sent: Math.max(before.sent, sent), ...judged, most: mostAfter(before.most ?? null, said) }),
    tries: 20,
  });
}

function mostAfter(before: number | null, { next, records, batch }: Pick<Said, 'next' | 'records' | 'batch'>): number | null {
  if (next === 'narrower') return Math.max(1, Math.ceil(records / 2));
  if (next === 'same' || before === null) return before;
  return before * 2 < batch ? before * 2 : null;
}

/** The environment and authority of a chain. */
export const ownerOf = ({ env, authority: { id } }: { env: string; authority: { id: string } }): string => `${env} ${id}`;

/** Whether the authority has judged a record of anyone from then on (milliseconds since 1970). */
export async function hasJudgedSince(paces: Pick<Collection<ChainPace>, 'count'>, of: string, since: number): Promise<boolean> {
  return (await paces.count({ of, judged_at: { $gte: since } })) > 0;
}

/** Most records of the next sending of a chain. */
export const mostOf = async ({ paces }: { paces: Paces }, chain: string, batch: number): Promise<number> =>
  (await paces.get(chain))?.most ?? batch;

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
  const nextAt = nextAtOf(pace, now);
  if (!pace || nextAt === now) return undefined;
  if ((pace.most ?? null) !== null) return nextAt;
  const head = await chains.head(chain);
  const waiting = head === 'none' ? 0 : Number(head) + 1 - (position - 1);
  return waiting >= batch ? undefined : nextAt;
}

/** When the chain may send again by its last answer, never before now nor later than any answer may hold it; in milliseconds since 1970. */
const nextAtOf = (pace: Pick<ChainPace, 'next_at'> | undefined, now: number): number =>
  pace && waitGoesOn(pace.next_at, now, MAX_SENDING_WAIT_MS) ? pace.next_at : now;

/**
 * Sendings that are to come before the one that has the record at `position`: at least one. `sent`: the position of the last record that was sent and judged, 0
 * where none was. `nextAt`: when the next of them may begin, unless more wait than it takes.
 */
export async function sendingsBefore(
  { paces }: { paces: Paces },
  { chain, position, batch }: { chain: string; position: number; batch: number },
  now: number,
): Promise<{ sendings: number; sent: number; nextAt: number }> {
  const pace = await paces.get(chain);
  const sent = pace?.sent ?? 0;
  return { sendings: Math.max(1, Math.ceil((position - sent) / (pace?.most ?? batch))), sent, nextAt: nextAtOf(pace, now) };
}
