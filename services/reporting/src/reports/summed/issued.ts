import type { DocumentKind } from '@svc/contracts/documents';
import { toText, ZERO, type Day } from '@svc/kernel';
import type { Posting, Postings } from '../../postings/posting.ts';
import { piecesOf, type Piece } from '../../sums/pieces.ts';
import { latestOf, type Fold } from '../../sums/sum-block.ts';
import { createOwnBalance, creditsOf, ownBalance, type Credit } from '../balances.ts';
import { periodIn } from '../reading.ts';
import type { Reading } from '../report.ts';
import { createBalances, type Step } from './balance-sums.ts';
import { numberSums } from './number-sums.ts';
import { submissionSums } from './submission-sums.ts';

/** An invoice of which something is due at the end of a day; `n`: its order in the block. */
export type Due = [
  n: number,
  document: string,
  number: string,
  issued_on: Day,
  customer: string | null,
  name: string | null,
  currency: string,
  due_on: Day,
  payable: string,
  steps: [day: Day, due: string][],
];
/** A document without outcome from a day on, until another (exclusive). */
export type Open = [kind: DocumentKind, currency: string, issued_on: Day, from: Day, until: Day | null];

export const OPEN = 'open';
const DUES = 'dues.';
const NEVER = '9999-99';
const monthOf = (day: Day): string => day.slice(0, 7);
/** The sum of invoices of which something is due until a month. */
const duesUntil = (month: string): string => `${DUES}${month}`;
/** Of the dues of a block: those of which something may be due on a day. */
export const duesOn = (day: Day, { sums }: { sums: string[] }): string[] =>
  sums.filter((name) => name.startsWith(DUES) && name.slice(DUES.length) >= monthOf(day));

const AT_ONCE = 100;

/** Sums documents by what is paid, due and open of them as of every day, how the authority answered, and their numbers. */
export const issuedFold =
  (postings: Postings): Fold =>
  async (block, turn) => {
    const histories = [...Map.groupBy(block, ({ document }) => document).values()] as [Posting, ...Posting[]][];
    const credits = await creditsOf(
      postings,
      histories.map(([first]) => first),
    );
    const balances = createBalances();
    const dues: Record<string, Due[]> = {};
    const open: Open[] = [];
    for (const [n, history] of histories.entries()) {
      if (n % AT_ONCE === 0) await turn(0);
      open.push(...openIn(history));
      const registered = ownBalance(history)?.registered;
      if (!registered) continue;
      const steps = stepsOf(history, credits.get(registered.document) ?? []);
      balances.add(registered, steps);
      if (steps.every(({ due }) => due.eq(ZERO))) continue;
      const { document, number, issued_on, customer_id, currency, figures } = registered;
      const last = steps.at(-1) as Step;
      (dues[duesUntil(last.due.eq(ZERO) ? monthOf(last.day) : NEVER)] ??= []).push([
        ...([n, document, number, issued_on, customer_id, figures.customer_name, currency] as const),
        ...([figures.due_on ?? issued_on, figures.payable] as const),
        steps.map(({ day, due }) => [day, toText(due)]),
      ]);
    }
    await turn(0);
    const own = { ...balances.sums(), ...(open.length > 0 && { [OPEN]: open }), ...dues };
    const made = Object.entries({ ...own, ...submissionSums(histories) }).map(([name, rows]) => [name, JSON.stringify(rows)]);
    return {
      sums: { ...Object.fromEntries(made), ...numberSums(histories) },
      ...latestOf([...block, ...[...credits.values()].flat()]),
    };
  };

/** From the issue date on, at the end of each day on which something changes. One pass: a document may have a thousand payments. */
function stepsOf(history: readonly Posting[], credits: readonly Credit[]): Step[] {
  const postingsOf = Map.groupBy(history, ({ day }) => day);
  const creditsOn = Map.groupBy(credits, ({ day }) => day);
  const sum = createOwnBalance();
  let lowered = ZERO;
  return [...new Set([...postingsOf.keys(), ...creditsOn.keys()])].sort().flatMap((day) => {
    for (const posting of postingsOf.get(day) ?? []) sum.add(posting);
    for (const { amount } of creditsOn.get(day) ?? []) lowered = lowered.plus(amount);
    const own = sum.balance();
    return own ? [{ day, paid: own.paid, due: own.isInvoice ? own.due.minus(lowered) : own.due }] : [];
  });
}

function openIn(history: readonly [Posting, ...Posting[]]): Open[] {
  const [{ kind, currency, issued_on }] = history;
  const lastOf = new Map(history.map(({ day }, at) => [day, at]));
  const days = [...lastOf.keys()].sort();
  let last = 0;
  return days.flatMap((from, n): Open[] => {
    last = Math.max(last, lastOf.get(from) ?? 0);
    const { outcome } = history[last] ?? history[0];
    return outcome === 'pending' || outcome === 'unknown' ? [[kind, currency, issued_on, from, days[n + 1] ?? null]] : [];
  });
}

/** Documents of a period by sums of theirs, and ranges of those that are to be read. `names`: as of `piecesOf`. */
export function issuedPieces(reading: Reading, names: (block: { sums: string[] }) => string[] | undefined): AsyncIterable<Piece> {
  const { account, env, ledger, turn, known_at, stored_until } = reading;
  const { blocks, sums } = ledger;
  return piecesOf({ ...{ account, env, order: 'issued_on', range: periodIn(reading), turn, blocks, sums, known_at, stored_until }, names });
}
