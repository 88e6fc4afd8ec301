import { nextTurn } from '@svc/kernel';

/** What a search may cost, in microseconds at most: two million numbers, or five thousand series. */
const MOST = 10_000_000;
/** Of that before others have their turn. */
const AT_ONCE = 4_000;

/** There is too much to look through. */
export class TooMany extends Error {}

/** Counts the cost of what is about to be done. Throws `TooMany`. */
export type Spend = (cost: number) => Promise<void>;

/** For one search. After some milliseconds of it others have their turn, and other accounts theirs. */
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
