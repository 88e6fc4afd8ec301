import { ZERO, type Day, type Decimal } from '@svc/kernel';
import type { CountedPosting } from '../counted-posting.ts';
import { tablesOf, type KindSum, type Table } from './table.ts';

/** What of a document is paid and due from a day on. */
export interface Step {
  day: Day;
  paid: Decimal;
  due: Decimal;
}

interface Change {
  paid: Decimal;
  due: Decimal;
}

const BALANCES = 'balances.';
const CHANGES = 'changes';

/** The balances of a block as of a day: one row for each customer where nothing changes after it, else a row for each change. */
export const balancesOn = (day: Day, { sums }: { sums: string[] }): string[] =>
  sums
    .filter((name) => name.startsWith(BALANCES) && name.slice(BALANCES.length) <= day)
    .concat(CHANGES)
    .slice(0, 1);

/** Sums what is paid and due of documents, by kind, customer and currency: by day, and as of the last day. */
export function createBalances() {
  const balances = new Map<string, { of: CountedPosting; changes: Map<Day, Change> }>();
  const rowOf = ({ kind, customer_id, currency, figures }: CountedPosting, day: { day?: Day }, { paid, due }: Change): KindSum => ({
    ...{ kind, currency, documents: 0, key: { customer_id, ...day } },
    ...{ amounts: { paid, due }, labels: { customer_name: figures.customer_name } },
  });

  return {
    add(of: CountedPosting, steps: readonly Step[]): void {
      const key = JSON.stringify([of.kind, of.customer_id, of.currency]);
      const changes = balances.get(key)?.changes ?? new Map<Day, Change>();
      let before: Change = { paid: ZERO, due: ZERO };
      for (const { day, paid, due } of steps) {
        const change = changes.get(day) ?? { paid: ZERO, due: ZERO };
        changes.set(day, { paid: change.paid.plus(paid).minus(before.paid), due: change.due.plus(due).minus(before.due) });
        before = { paid, due };
      }
      balances.delete(key); // The rows are in the order of their last documents, whose names count.
      balances.set(key, { of, changes });
    },

    /** Tables by the names of their sums. */
    sums(): Record<string, Table[]> {
      if (balances.size === 0) return {};
      const all = [...balances.values()];
      const last = all.flatMap(({ changes }) => [...changes.keys()]).reduce((a, b) => (a > b ? a : b));
      const sum = (changes: Map<Day, Change>): Change =>
        changes.values().reduce((a, b) => ({ paid: a.paid.plus(b.paid), due: a.due.plus(b.due) }), { paid: ZERO, due: ZERO });
      return {
        [CHANGES]: tablesOf(all.flatMap(({ of, changes }) => [...changes].map(([day, change]) => rowOf(of, { day }, change)))),
        [`${BALANCES}${last}`]: tablesOf(all.map(({ of, changes }) => rowOf(of, {}, sum(changes)))),
      };
    },
  };
}
