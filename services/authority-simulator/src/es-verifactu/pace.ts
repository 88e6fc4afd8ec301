import type { Book } from '../wires/book.ts';
import { MOST_RECORDS } from './schema.ts';

/** How an issuer keeps to TiempoEsperaEnvio. */
export interface Pace {
  issuer: string;
  sendings: number;
  /** Sendings that came before the end of the wait with fewer than 1,000 records. */
  tooSoon: number;
  /** Milliseconds since 1970; 0: nothing was answered yet. */
  next: number;
}

/** Notes a sending; one that comes too soon is taken all the same. */
export function noteSending(book: Book, issuer: string, { records, now }: { records: number; now: number }): void {
  const pace = book.value<Pace>('pace', issuer) ?? { issuer, sendings: 0, tooSoon: 0, next: 0 };
  const isTooSoon = now < pace.next && records < MOST_RECORDS;
  book.setValue('pace', issuer, { ...pace, sendings: pace.sendings + 1, tooSoon: pace.tooSoon + (isTooSoon ? 1 : 0) } satisfies Pace);
}

/** Notes how long the answer makes the issuer wait. */
export function noteAnswer(book: Book, issuer: string, { wait, now }: { wait: number; now: number }): void {
  const pace = book.value<Pace>('pace', issuer);
  if (pace) book.setValue('pace', issuer, { ...pace, next: now + wait * 1_000 } satisfies Pace);
}
