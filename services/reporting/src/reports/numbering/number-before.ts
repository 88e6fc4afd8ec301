import { isKnown } from '../reading.ts';
import type { Reading } from '../report.ts';

/** The last number of a count before this one, which may be of an earlier period; undefined where it is the first. */
export async function numberBefore(
  reading: Pick<Reading, 'account' | 'env' | 'known_at' | 'ledger'>,
  { series_key, seq }: { series_key: string; seq: number },
): Promise<number | undefined> {
  const { account, env, ledger } = reading;
  const sort = { seq: -1, _id: -1 } as const;
  for await (const earlier of ledger.postings.find({ account, env, series_key, seq: { $lt: seq } }, { sort }))
    if (isKnown(earlier, reading)) return earlier.seq;
  return undefined;
}
