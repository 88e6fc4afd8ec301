import type { Ledger } from '../postings/context.ts';
import { newestBy } from './newest.ts';
import type { Reading } from './report.ts';

type Tenant = Pick<Reading, 'account' | 'env' | 'known_at'>;

/**
 * The issuer's time zone: that of the last change of it or that on the last document that was numbered, whichever is later; UTC of an issuer without either. Changes
 * are kept on the bus for 30 days: after that a read model that is built anew knows those of documents.
 */
export async function timeZoneOf(ledger: Pick<Ledger, 'postings' | 'zones'>, tenant: Tenant): Promise<string> {
  const [numbered, set] = await Promise.all([newestBy('numbered_at', ledger, tenant), lastZone(ledger, tenant)]);
  if (set && set.recorded_at >= (numbered?.recorded_at ?? '')) return set.time_zone;
  return numbered?.time_zone ?? 'UTC';
}

async function lastZone({ zones }: Pick<Ledger, 'zones'>, { account, env, known_at }: Tenant) {
  const until = known_at === null ? { $gt: '' } : { $gt: '', $lte: known_at };
  const [last] = await Array.fromAsync(zones.find({ account, env, recorded_at: until }, { sort: { recorded_at: -1, _id: -1 }, limit: 1 }));
  return last;
}
