import type { Posting } from '../postings/posting.ts';
import type { Reading } from './report.ts';
import type { Ledger } from '../postings/context.ts';

/** The tenant's last posting in the order of that field, of those that were recorded until `known_at`; undefined when there is none. */
export async function newestBy(
  field: 'numbered_at' | 'recorded_at',
  { postings }: Pick<Ledger, 'postings'>,
  { account, env, known_at }: Pick<Reading, 'account' | 'env' | 'known_at'>,
): Promise<Posting | undefined> {
  const until = known_at === null ? { $gt: '' } : { $gt: '', $lte: known_at };
  const [newest] = await Array.fromAsync(postings.find({ account, env, [field]: until }, { sort: { [field]: -1, _id: -1 }, limit: 1 }));
  return newest;
}
