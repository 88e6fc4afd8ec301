import { waitGoesOn } from '@svc/kernel';
import { compareAndSet, type Collection, type Doc } from '@svc/document-store';
import { MAX_SENDING_WAIT_MS } from './domain/next-step.ts';
import { ATTEMPT_MS } from './row.ts';
import type { Chains } from '../chain/chains.ts';

/** When the next sending of a chain may begin, and how far its records have their outcome. `_id`: the chain's stream. */
export interface ChainPace extends Doc {
  /** Milliseconds since 1970. */
  next_at: number;
  /** When that was said; of the same clock. Absent: by a release before 0.2. until 0.3 */
  said_at?: number;
  /** Until when a process sends records of it at most, in milliseconds since 1970. Absent: none does. */
  sending_until?: number;
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

type Paces = Pick<Collection<ChainPace>, 'get' | 'insert' | 'claim'>;

/** By so much the clock of a process may be ahead of another one that keeps to the same chain: authorities refuse times that are further ahead. */
const AHEAD_MS = 5 * 60_000;
/** How soon it is looked again whether another process still sends records of the chain, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/** What a sending says of the next one. */
export interface Said extends Pick<ChainPace, 'next_at' | 'sent' | 'of'> {
  said_at: number;
  /** `narrower`: half as many records as it had, so that the refused one is found; `wider`: its records are judged; `same`: nothing is known. */
  next: 'narrower' | 'wider' | 'same';
  records: number;
  /** When it judged one of its records, in milliseconds since 1970; null: one of them ends without. Undefined: neither. */
  judged_at: number | null | undefined;
  /** Most records that the authority takes. */
  batch: number;
}

/** Writes what an answer says of the next sending, which another process may begin then. It is advice: none of them is held by it for longer than an hour. */
export async function setPace(paces: Paces, chain: string, { next_at, said_at, sent, of, judged_at, ...said }: Said): Promise<void> {
  const set = { next_at, said_at, of, ...(judged_at !== undefined && { judged_at }) };
  await compareAndSet<ChainPace, ChainPace>(paces, chain, {
    absent: () => ({ _id: chain, version: 1, sent, ...set, most: mostAfter(null, said) }),
    change: (before) => ({
      ...{ sent: Math.max(before.sent, sent), ...set, most: mostAfter(before.most ?? null, said) },
      sending_until: undefined,
    }),
    tries: 20,
  });
}

/** The pace by this clock. A wait that a clock which was ahead has stored begins now: so it is never shorter than the authority has said. */
async function paceAt(paces: Paces, chain: string, now: number): Promise<ChainPace | undefined> {
  const isAhead = ({ said_at = now }: ChainPace): boolean => said_at > now + AHEAD_MS;
  const pace = await paces.get(chain);
  if (!pace || !isAhead(pace)) return pace;
  const { doc } = await compareAndSet<ChainPace, undefined>(paces, chain, {
    absent: () => undefined,
    change: (found) => (isAhead(found) ? { said_at: now, next_at: now + (found.next_at - (found.said_at ?? now)) } : undefined),
    tries: 20,
  });
  return doc;
}

function mostAfter(before: number | null, { next, records, batch }: Pick<Said, 'next' | 'records' | 'batch'>): number | null {
  if (next === 'narrower') return Math.max(1, Math.ceil(records / 2));
  if (next === 'same' || before === null) return before;
  return before * 2 < batch ? before * 2 : null;
}

/** The environment and authority of a chain. */
export const ownerOf = ({ env, authority: { id } }: { env: string; authority: { id: string } }): string => `${env} ${id}`;

/** Whether a judgment of that time (`judged_at`) came then or later: not by a clock that was ahead, and was set back since. Times are milliseconds since 1970. */
export const isJudgedBetween = (at: number, { since, now }: { since: number; now: number }): boolean => at >= since && at <= now + AHEAD_MS;

/** Whether the authority has judged a record of anyone from then on (milliseconds since 1970). */
export async function hasJudgedSince(
  paces: Pick<Collection<ChainPace>, 'count'>,
  of: string,
  { since, now }: { since: number; now: number },
): Promise<boolean> {
  return (await paces.count({ of, judged_at: { $gte: since, $lte: now + AHEAD_MS } })) > 0;
}

/** Most records of the next sending of a chain. */
export const mostOf = async ({ paces }: { paces: Pick<Paces, 'get'> }, chain: string, batch: number): Promise<number> =>
  (await paces.get(chain))?.most ?? batch;

interface Paced {
  paces: Paces;
  chains: Pick<Chains, 'head'>;
}

interface Place {
  chain: string;
  position: number;
  batch: number;
}

/**
 * The time before which the record at `position` is not sent: that of the last answer, unless as many records wait as one sending has. Undefined: at once.
 * @param now milliseconds since 1970
 */
export const pacedUntil = async (paced: Paced, place: Place, now: number): Promise<number | undefined> =>
  waitOf(paced, place, { pace: await paceAt(paced.paces, place.chain, now), now });

async function waitOf(
  { chains }: Pick<Paced, 'chains'>,
  { chain, position, batch }: Place,
  { pace, now }: { pace: ChainPace | undefined; now: number },
): Promise<number | undefined> {
  const nextAt = nextAtOf(pace, now);
  if (!pace || nextAt === now) return undefined;
  if ((pace.most ?? null) !== null) return nextAt;
  const head = await chains.head(chain);
  const waiting = head === 'none' ? 0 : Number(head) + 1 - (position - 1);
  return waiting >= batch ? undefined : nextAt;
}

/**
 * Takes a chain for one sending, which ends with `setPace` or `leaveChain`: records of it may wait for different ones, and two processes would send those at once, the second
 * one within the wait that the answer to the first asks for. Returns the time before which it cannot be taken, in milliseconds since 1970; undefined: it is taken.
 */
export async function takeChain(
  { paces, chains, timeScale }: Paced & { timeScale: number },
  { of, ...place }: Place & { of: string },
  now: number,
): Promise<number | undefined> {
  const { chain } = place;
  const again = now + LOOK_AGAIN_MS / timeScale;
  const pace = await paceAt(paces, chain, now);
  const until = await waitOf({ chains }, place, { pace, now });
  if (until !== undefined) return until;
  if (pace && waitGoesOn(pace.sending_until ?? 0, now, ATTEMPT_MS)) return again;
  const sending_until = now + ATTEMPT_MS;
  const isTaken = pace
    ? (await paces.claim({ _id: chain, version: pace.version }, { set: { sending_until } })).length > 0
    : await paces.insert({ _id: chain, version: 1, next_at: 0, sent: 0, most: null, of, sending_until });
  return isTaken ? undefined : again;
}

/** Nothing was sent. */
export async function leaveChain(paces: Paces, chain: string): Promise<void> {
  const change = ({ sending_until }: ChainPace) => (sending_until === undefined ? undefined : { sending_until: undefined });
  await compareAndSet<ChainPace, undefined>(paces, chain, { absent: () => undefined, change, tries: 20 });
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
  { chain, position, batch }: Place,
  now: number,
): Promise<{ sendings: number; sent: number; nextAt: number }> {
  const pace = await paceAt(paces, chain, now);
  const sent = pace?.sent ?? 0;
  return { sendings: Math.max(1, Math.ceil((position - sent) / (pace?.most ?? batch))), sent, nextAt: nextAtOf(pace, now) };
}
