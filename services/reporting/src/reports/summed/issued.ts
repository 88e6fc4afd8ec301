import type { DocumentKind } from '@svc/contracts/documents';
import { decimal, toText, ZERO, type Day, type Decimal } from '@svc/kernel';
import type { Posting, Postings } from '../../postings/posting.ts';
import { piecesOf, type Piece } from '../../sums/pieces.ts';
import type { Fold } from '../../sums/sum-block.ts';
import { creditsOf, ownBalance, type Credit } from '../balances.ts';
import { periodIn } from '../reading.ts';
import type { Reading } from '../report.ts';

/** What of a document is paid and due from a day on. */
export interface Step {
  day: Day;
  paid: Decimal;
  due: Decimal;
}

/** A customer's documents of a block: changes of what is paid and due of them, by day. */
export type BalanceSum = [
  kind: DocumentKind,
  customer: string | null,
  currency: string,
  name: string | null,
  changes: [day: Day, paid: string, due: string][],
];
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

const BALANCES = 'balances.';
const CHANGES = 'changes';
export const OPEN = 'open';
const DUES = 'dues.';
const NEVER = '9999-99';
const monthOf = (day: Day): string => day.slice(0, 7);
/** The sum of invoices of which something is due until a month. */
const duesUntil = (month: string): string => `${DUES}${month}`;
/** Of the dues of a block: those of which something may be due on a day. */
export const duesOn = (day: Day, { sums }: { sums: string[] }): string[] =>
  sums.filter((name) => name.startsWith(DUES) && name.slice(DUES.length) >= monthOf(day));

/** The balances of a block as of a day: one change each, where nothing changes after it. */
export const balancesOn = (day: Day, { sums }: { sums: string[] }): string[] =>
  sums
    .filter((name) => name.startsWith(BALANCES) && name.slice(BALANCES.length) <= day)
    .concat(CHANGES)
    .slice(0, 1);

const AT_ONCE = 100;

/** Sums documents by what is paid, due and open of them as of every day. */
export const issuedFold =
  (postings: Postings): Fold =>
  async (block, turn) => {
    const histories = [...Map.groupBy(block, ({ document }) => document).values()] as [Posting, ...Posting[]][];
    const credits = await creditsOf(
      postings,
      histories.map(([first]) => first),
    );
    const balances = new Map<string, BalanceSum>();
    const dues: Record<string, Due[]> = {};
    const open: Open[] = [];
    for (const [n, history] of histories.entries()) {
      if (n % AT_ONCE === 0) await turn(0);
      open.push(...openIn(history));
      const registered = ownBalance(history)?.registered;
      if (!registered) continue;
      const steps = stepsOf(history, credits.get(registered.document) ?? []);
      addBalance(balances, registered, steps);
      if (steps.every(({ due }) => due.eq(ZERO))) continue;
      const { document, number, issued_on, customer_id, currency, figures } = registered;
      const last = steps.at(-1) as Step;
      (dues[duesUntil(last.due.eq(ZERO) ? monthOf(last.day) : NEVER)] ??= []).push([
        ...([n, document, number, issued_on, customer_id, figures.customer_name, currency] as const),
        ...([figures.due_on ?? issued_on, figures.payable] as const),
        steps.map(({ day, due }) => [day, toText(due)]),
      ]);
    }
    const made = { ...balanceSums([...balances.values()]), ...(open.length > 0 && { [OPEN]: open }), ...dues };
    return Object.fromEntries(Object.entries(made).map(([name, rows]) => [name, JSON.stringify(rows)]));
  };

/** From the issue date on, at the end of each day on which something changes. */
function stepsOf(history: readonly Posting[], credits: readonly Credit[]): Step[] {
  const days = [...new Set([...history, ...credits].map(({ day }) => day))].sort();
  return days.flatMap((day) => {
    const own = ownBalance(history.filter((posting) => posting.day <= day));
    if (!own) return [];
    const lowered = credits.filter((credit) => credit.day <= day).reduce((sum, { amount }) => sum.plus(amount), ZERO);
    return [{ day, paid: own.paid, due: own.isInvoice ? own.due.minus(lowered) : own.due }];
  });
}

function addBalance(balances: Map<string, BalanceSum>, { kind, customer_id, currency, figures }: Registered, steps: readonly Step[]): void {
  const key = JSON.stringify([kind, customer_id, currency]);
  const changes = new Map(balances.get(key)?.[4].map(([day, paid, due]) => [day, { paid: decimal(paid), due: decimal(due) }]));
  let before = { paid: ZERO, due: ZERO };
  for (const { day, paid, due } of steps) {
    const change = changes.get(day) ?? { paid: ZERO, due: ZERO };
    changes.set(day, { paid: change.paid.plus(paid).minus(before.paid), due: change.due.plus(due).minus(before.due) });
    before = { paid, due };
  }
  const rows = [...changes].map(([day, { paid, due }]): BalanceSum[4][number] => [day, toText(paid), toText(due)]);
  balances.delete(key); // The rows are in the order of their last documents, whose names count.
  balances.set(key, [kind, customer_id, currency, figures.customer_name, rows]);
}

/** By day, and as of the last one. */
function balanceSums(changes: BalanceSum[]): Record<string, BalanceSum[]> {
  if (changes.length === 0) return {};
  const last = changes.flatMap(([, , , , days]) => days.map(([day]) => day)).reduce((a, b) => (a > b ? a : b));
  const sumOf = (days: BalanceSum[4], at: 1 | 2): string => toText(days.reduce((sum, change) => sum.plus(decimal(change[at])), ZERO));
  const final = changes.map(([kind, customer, currency, name, days]): BalanceSum => {
    const first = days[0]?.[0] as Day;
    return [kind, customer, currency, name, [[first, sumOf(days, 1), sumOf(days, 2)]]];
  });
  return { [CHANGES]: changes, [`${BALANCES}${last}`]: final };
}

type Registered = NonNullable<ReturnType<typeof ownBalance>>['registered'];

function openIn(history: readonly [Posting, ...Posting[]]): Open[] {
  const [{ kind, currency, issued_on }] = history;
  const days = [...new Set(history.map(({ day }) => day))].sort();
  return days.flatMap((from, n): Open[] => {
    const outcome = history.findLast(({ day }) => day <= from)?.outcome;
    return outcome === 'pending' || outcome === 'unknown' ? [[kind, currency, issued_on, from, days[n + 1] ?? null]] : [];
  });
}

/** Documents of a period by sums of theirs, and ranges of those that are to be read; the whole period where `isPlain`. */
export function issuedPieces(
  reading: Reading,
  { names, isPlain }: { names: (block: { sums: string[] }) => string[]; isPlain: boolean },
): AsyncIterable<Piece> | Piece[] {
  const range = periodIn(reading);
  const { account, env, ledger, turn } = reading;
  const { blocks, sums } = ledger;
  return isPlain ? [range] : piecesOf({ ...{ account, env, order: 'issued_on', range, turn, blocks, sums }, names });
}
