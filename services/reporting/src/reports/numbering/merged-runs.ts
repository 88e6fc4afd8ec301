import { inOrder, type TakenNumber } from './taken-number.ts';

/** Numbers of one count, and where they begin and end. */
export interface Run {
  series_key: string;
  first: number;
  last: number;
  count: number;
  /** Reads them, in their order. */
  numbers(): Promise<TakenNumber[]>;
}

type Position = Pick<Run, 'series_key'> & { seq: number };
const isBefore = (a: Position, b: Position): boolean => (a.series_key === b.series_key ? a.seq < b.seq : a.series_key < b.series_key);
const beginOf = ({ series_key, first: seq }: Run): Position => ({ series_key, seq });
const endOf = ({ series_key, last: seq }: Run): Position => ({ series_key, seq });
const byBegin = (a: Run, b: Run): number => (isBefore(beginOf(a), beginOf(b)) ? -1 : 1);

/** How many numbers are held at most while these are merged, beside those that are passed on. */
export function mostAtOnce(runs: readonly Run[]): number {
  let most = 0;
  let open: Run[] = [];
  for (const run of runs.toSorted(byBegin)) {
    open = open.filter((one) => !isBefore(endOf(one), beginOf(run))).concat(run);
    most = Math.max(
      most,
      open.reduce((sum, { count }) => sum + count, 0),
    );
  }
  return most;
}

interface Opened {
  numbers: TakenNumber[];
  at: number;
}
const headOf = ({ numbers, at }: Opened): TakenNumber => numbers[at] as TakenNumber;

/** The numbers of all runs in order, up to `atOnce` at once; a run is read when the numbers before its first one have been passed on. */
export async function* mergedRuns(runs: readonly Run[], atOnce: number): AsyncGenerator<readonly TakenNumber[]> {
  const waiting = runs.toSorted(byBegin);
  let open: Opened[] = [];
  let merged: TakenNumber[] = [];
  for (let next = 0; next < waiting.length || open.length > 0;) {
    open.sort((a, b) => inOrder(headOf(a), headOf(b)));
    const [least, second] = open;
    const run = waiting[next];
    const begin = run && beginOf(run);
    if (run && begin && !(least && isBefore(headOf(least), begin))) {
      open.push({ numbers: await run.numbers(), at: 0 });
      next += 1;
    } else if (least) {
      const isNext = (number: TakenNumber | undefined): boolean =>
        number !== undefined && !(begin && !isBefore(number, begin)) && !(second && inOrder(number, headOf(second)) > 0);
      do merged.push(least.numbers[least.at++] as TakenNumber);
      while (isNext(least.numbers[least.at]) && merged.length < atOnce);
    }
    open = open.filter(({ numbers, at }) => at < numbers.length);
    if (merged.length < atOnce) continue;
    yield merged;
    merged = [];
  }
  yield merged;
}
