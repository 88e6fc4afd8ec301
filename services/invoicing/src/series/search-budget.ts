import { nextTurn } from '@svc/kernel';

/** The cost limit of a search, in microseconds at most: two million numbers, or five thousand series. */
const MOST = 10_000_000;
/** The cost after which the search yields to other work. */
const AT_ONCE = 4_000;

/** There is too much to search. */
export class TooMany extends Error {}

/** Adds the cost of the next step. Throws `TooMany`. */
export type Spend = (cost: number) => Promise<void>;

/** For one search. Yields to other work, and to other accounts, after every few milliseconds. */
export function searchBudget(account: string): Spend {
  let [spent, rested] = [0, 0];
  return async (cost) => {
    spent += cost;
    if (spent > MOST) throw new TooMany();
    if (spent < rested + AT_ONCE) return;
    rested = spent;
    await nextTurn(account);
  };
}
