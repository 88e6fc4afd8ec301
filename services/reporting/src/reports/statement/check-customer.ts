import { DomainError, notFound, timeOf, uidOf } from '@svc/kernel';
import type { ReportingContext } from '../../postings/context.ts';
import { customerId, UPGRADE } from '../../postings/party.ts';
import type { Question } from '../report.ts';

const WAIT_MS = 50;
const MOST_WAITS = 20;
const RETRY_SECONDS = 1;

/**
 * Checks that the tenant has a customer. One that was created a moment ago is waited for, a second at most. Throws `not_found`, and `service_unavailable` while its
 * creation may not have been read.
 */
export async function checkCustomer(
  context: ReportingContext,
  { account, env }: Pick<Question, 'account' | 'env'>,
  id: string,
): Promise<void> {
  const { parties, progress, clock } = context;
  const uid = uidOf('cust', id);
  if (uid === undefined) throw notFound('customer');
  for (let waits = 0; ; waits += 1) {
    const until = await progress.until();
    if (await parties.get(customerId({ account, env }, id))) return;
    if (timeOf(uid) <= ((await parties.get(UPGRADE))?.version ?? 0)) return; // until 0.3
    if (timeOf(uid) < until) throw notFound('customer');
    if (waits === MOST_WAITS) break;
    await clock.sleep(WAIT_MS);
  }
  throw new DomainError('service_unavailable', 'Whether this customer exists has not been read yet. Ask again.', undefined, RETRY_SECONDS);
}
