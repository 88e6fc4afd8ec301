import type { Decimal } from '@svc/kernel';

type Amounts = Record<string, Decimal | null>;

/** Columns in which some rows state amounts that other rows have already, and which rows these are: a total is without them. */
export interface Repeated {
  columns: readonly string[];
  by(row: Amounts): boolean;
}

/** The amounts of a total without those that its rows repeat. */
export function withoutRepeated(total: Amounts, rows: Iterable<Amounts>, { columns, by }: Repeated): Amounts {
  const own = { ...total };
  for (const row of rows)
    if (by(row))
      for (const name of columns) {
        const [sum, amount] = [own[name], row[name]];
        own[name] = sum && amount ? sum.minus(amount) : null;
      }
  return own;
}
