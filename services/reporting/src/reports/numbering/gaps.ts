import type { NumberGap } from '@svc/contracts/report/rows';

type Number = { series_key: string; seq: number };

/**
 * What is missing between numbers, and before the first one of each count. `taken`: in the order of count and number. `before`: the last number of a
 * count before this one; undefined where it is the first.
 */
export async function gapsOf(taken: readonly Number[], before: (first: Number) => Promise<number | undefined>): Promise<NumberGap[]> {
  const gaps: NumberGap[] = [];
  let last: Number | undefined;
  for (const number of taken) {
    const { series_key, seq } = number;
    const previous = last?.series_key === series_key ? last.seq : await before(number);
    if (previous !== undefined && previous < seq - 1) gaps.push({ series_key, from_seq: previous + 1, to_seq: seq - 1, reason: 'missing' });
    last = number;
  }
  return gaps;
}
