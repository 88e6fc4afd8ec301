import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { rulesOfAuthority } from '@svc/tax-rules';

/**
 * Whether a till has what it waits for: the outcome; or, where that takes its time since the authority is away or takes documents together, the link that
 * the paper shows. `isAway`: other documents show that it does not answer, so that this one may be put off without an error of its own.
 */
export function isSettled({ status, fiscal }: Pick<ReceiptResource, 'status' | 'fiscal'>, isAway: boolean): boolean {
  if (status === 'voiding') return false;
  if (fiscal?.status !== 'pending' && fiscal?.status !== 'unknown') return true;
  const takesLong = isAway || fiscal.error !== null || rulesOfAuthority(fiscal.authority)?.in_batches === true;
  return takesLong && fiscal.verification_url !== null;
}
