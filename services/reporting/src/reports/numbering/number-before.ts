import { isKnown } from '../reading.ts';
import type { Reading } from '../report.ts';

/** The last number of a count up to this one, which may be of an earlier period; undefined where there is none. */
export async function numberBefore(
  reading: Pick<Reading, 'account' | 'env' | 'known_at' | 'ledger'>,
  { series_key }: { series_key: string },
  until: number,
): Promise<number | undefined> {
  const { account, env, ledger } = reading;
  const sort = { seq: -1, _id: -1 } as const;
  for await (const earlier of ledger.postings.find({ account, env, series_key, seq: { $lte: until } }, { sort }))
    if (isKnown(earlier, reading)) return earlier.seq;
  return undefined;
}
