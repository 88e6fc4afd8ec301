import { DomainError, millisOf } from '@svc/kernel';
import type { ReportingContext } from '../postings/context.ts';
import { badQuery } from './bad-query.ts';
import type { Question } from './report.ts';

const LEAST_AGE_MS = 5 * 60_000;
/** How long after its own time an event may be stored: the append is repeated, and clocks differ. */
const STORED_WITHIN_MS = 4 * 60_000;
const RETRY_SECONDS = 5;

/**
 * Checks that everything that was recorded until `known_at` has been read, and nothing of the tenant that may be as old waits, held or as a dead letter, so
 * that an answer never changes; without it, that what was stored before
 * this process began has been read. Throws `invalid_request` for a time of the last 5 minutes, and `service_unavailable` while something is missing.
 */
export async function checkKnown(
  { progress, held, clock }: Pick<ReportingContext, 'progress' | 'held' | 'clock'>,
  { account, env, known_at }: Pick<Question, 'account' | 'env' | 'known_at'>,
): Promise<void> {
  if (known_at === null) {
    if (!(await progress.isBuilt())) throw notRead();
    return;
  }
  const at = millisOf(known_at);
  if (at > clock.now() - LEAST_AGE_MS) throw badQuery('known_at', 'Send a time at least 5 minutes ago: later events may still arrive.');
  if ((await progress.until()) < at + STORED_WITHIN_MS) throw notRead();
  const waiting = await progress.oldestWaiting({ account, env });
  if (waiting !== undefined && waiting <= known_at) throw notRead();
  const [gap] = await Array.fromAsync(held.find({ account, env }, { sort: { after: 1, _id: 1 }, limit: 1 }));
  if (gap && gap.after <= known_at) throw notRead();
}

const notRead = () =>
  new DomainError('service_unavailable', 'Not everything that happened until then has been read yet. Ask again.', undefined, RETRY_SECONDS);
