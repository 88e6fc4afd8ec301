import { millisOf } from '@svc/kernel';
import type { Book } from '../wires/book.ts';
import type { SentRecord } from './record.ts';

/** Why a record does not continue its chain. */
export type Break = 'first again' | 'unknown before' | 'other before' | 'earlier than before';

/** A chain as it arrived. The authority takes broken ones: they are shown to operators. */
export interface Chain {
  chain: string;
  records: number;
  last: { number: string; day: string; hash: string; generated: string };
  /** At most the first 100. */
  breaks: { number: string; day: string; why: Break }[];
}

const MOST_BREAKS = 100;

/** Notes a record in its chain, also one that is refused; one that came before changes nothing. */
export function note(book: Book, { chain, id, previous, hash, generated }: SentRecord): void {
  const state = book.value<Chain>('chain', chain);
  const seen = `${chain}|${hash}`;
  if (book.value('link', seen) !== undefined) return;
  book.setValue('link', seen, 1);
  const why = breakOf(state, previous?.hash, generated);
  const last = { number: id.number, day: id.day, hash, generated };
  const breaks = [...(state?.breaks ?? []), ...(why ? [{ number: id.number, day: id.day, why }] : [])].slice(0, MOST_BREAKS);
  book.setValue('chain', chain, { chain, records: (state?.records ?? 0) + 1, last, breaks } satisfies Chain);
}

/** Whether a record of the chain is registered. */
export const isBegun = (book: Book, { chain }: SentRecord): boolean => book.value('begun', chain) !== undefined;
export const setBegun = (book: Book, { chain }: SentRecord): void => book.setValue('begun', chain, 1);

function breakOf(state: Chain | undefined, previous: string | undefined, generated: string): Break | undefined {
  if (!state) return previous === undefined ? undefined : 'unknown before';
  if (previous === undefined) return 'first again';
  if (previous !== state.last.hash) return 'other before';
  return millisOf(generated) < millisOf(state.last.generated) ? 'earlier than before' : undefined;
}
