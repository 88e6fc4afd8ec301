import type { CitedDocument } from '@svc/contracts/report/rows';
import { ZERO, type Decimal } from '@svc/kernel';
import type { Counted } from '../facts/counted.ts';
import { badQuery } from './bad-query.ts';
import { exactNumber } from './exact-number.ts';
import { compare, compareKeys } from './order.ts';
import type { Key, Part } from './report.ts';

/** Sums of one row, or of one currency. */
interface Sums {
  currency: string;
  documents: number;
  amounts: Record<string, Decimal>;
}
export interface Row extends Sums {
  key: Key;
  /** The cited documents; empty unless requested. */
  references: CitedDocument[];
}

export interface Limits {
  rows: number;
  references: number;
}
/** Limits of one response, so that it leaves memory to others. */
const LIMITS: Limits = { rows: 100_000, references: 100_000 };

/** Sums the parts of counted documents per row and per currency. Currencies are never added to each other. */
export interface Tally {
  /** Throws `invalid_request` beyond the limits. */
  add(counted: Counted, parts: readonly Part[]): void;
  /** Ordered by key, then currency. */
  rows(): Row[];
  /** Ordered by currency. A document counts once, however many rows it is in. */
  totals(): Sums[];
}

const tooMuch = (parameter: string, what: string): Error =>
  badQuery(parameter, `The report would have more than ${what}. Ask for a shorter period, one currency or one kind.`);

/** `cites`: record the documents of each row, not only their number. */
export function createTally({ cites }: { cites: boolean }, limits: Limits = LIMITS): Tally {
  const rows = new Map<string, Row>();
  const totals = new Map<string, Sums>();
  let citations = 0;

  function rowOf(key: Key, currency: string): Row {
    const id = JSON.stringify([...Object.values(key), currency]);
    let row = rows.get(id);
    if (!row) {
      if (rows.size === limits.rows) throw tooMuch('from', `${limits.rows} rows`);
      rows.set(id, (row = { key, currency, documents: 0, amounts: {}, references: [] }));
    }
    return row;
  }
  function totalOf(currency: string): Sums {
    let total = totals.get(currency);
    if (!total) totals.set(currency, (total = { currency, documents: 0, amounts: {} }));
    return total;
  }

  return {
    add(counted, parts) {
      const { fact, sign } = counted;
      if (parts.length === 0) return;
      const total = totalOf(fact.currency);
      total.documents += counted.documents;
      for (const { key, amounts, referenceAmount } of parts) {
        const row = rowOf(key, fact.currency);
        row.documents += counted.documents;
        addUp(row.amounts, amounts, sign);
        addUp(total.amounts, amounts, sign);
        if (!cites) continue;
        if (++citations > limits.references) throw tooMuch('cite', `${limits.references} documents to cite`);
        row.references.push({ id: fact._id, number: fact.number, amount: signed(referenceAmount, sign) });
      }
    },
    rows: () => [...rows.values()].sort((a, b) => compareKeys(a.key, b.key) || compare(a.currency, b.currency)),
    totals: () => [...totals.values()].sort((a, b) => compare(a.currency, b.currency)),
  };
}

function addUp(sums: Record<string, Decimal>, amounts: Record<string, Decimal>, sign: 1 | -1): void {
  for (const [column, amount] of Object.entries(amounts)) {
    const before = sums[column] ?? ZERO;
    sums[column] = sign === 1 ? before.plus(amount) : before.minus(amount);
  }
}

const signed = (amount: Decimal, sign: 1 | -1): number => exactNumber(sign === 1 ? amount : ZERO.minus(amount));
