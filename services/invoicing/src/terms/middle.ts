import type { Collection } from '@svc/document-store';
import type { Env, Turn } from '@svc/kernel';
import { sequenceTerm, type TermsRow } from './terms.ts';

/** Digits of a sequence besides the part, before it and behind it together. */
const BESIDE = 3;
/** Digits that a double holds exactly. */
const MOST_DIGITS = 15;
/** Sequences that are looked up with one statement. */
const AT_ONCE = 500;

/**
 * The terms of the sequences that have these digits in their middle or at their beginning, with three others at most, and of the one that is these digits, of which the first ones
 * may be zeros that a number has before its sequence: 3,001 at most. An index of all parts would cost each document as many entries as its sequence has digits; sequences are
 * counted without gaps, so that those with a part can be named instead.
 */
function sequencesWith(digits: string): string[] {
  if (digits.length + BESIDE > MOST_DIGITS) return [];
  const terms = new Set([sequenceTerm(digits)]);
  for (let behind = 1; behind <= BESIDE; behind += 1)
    for (const before of beginnings(BESIDE - behind))
      for (let end = 0; end < 10 ** behind; end += 1) terms.add(sequenceTerm(before + digits + String(end).padStart(behind, '0')));
  return [...terms];
}

/** No digits, and all numbers of so many at most. */
const beginnings = (most: number): string[] => ['', ...Array.from({ length: 10 ** most - 1 }, (_, n) => String(n + 1))];

interface Middle {
  account: string;
  env: Env;
  digits: string;
  turn: Turn;
}

/** The ids of documents whose number has these digits before its end; undefined: more than `most` have. */
export async function havingInMiddle(
  rows: Collection<TermsRow>,
  { account, env, digits, turn }: Middle,
  most: number,
): Promise<string[] | undefined> {
  const terms = sequencesWith(digits);
  const found: string[] = [];
  for (let at = 0; at < terms.length; at += AT_ONCE) {
    await turn(0);
    const filter = { account, env, seq: { $in: terms.slice(at, at + AT_ONCE) } };
    const seen = await Array.fromAsync(rows.find(filter, { limit: most + 1 }));
    // Zeros at the beginning of the part are those before the sequence, or none of its number.
    found.push(...seen.flatMap(({ _id, number }) => (number?.includes(digits) ? [_id] : [])));
    if (seen.length > most || found.length > most) return undefined;
  }
  return found;
}
