import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { rulesOfAuthority } from '@svc/tax-rules';

/**
 * Whether a till has what it waits for: the outcome; or, where that takes its time since the authority is away or takes documents together, the link that
 * the paper shows.
 */
export function isSettled({ status, fiscal }: Pick<ReceiptResource, 'status' | 'fiscal'>): boolean {
  if (status === 'voiding') return false;
  if (fiscal?.status !== 'pending' && fiscal?.status !== 'unknown') return true;
  const takesLong = fiscal.error !== null || rulesOfAuthority(fiscal.authority)?.in_batches === true;
  return takesLong && fiscal.verification_url !== null;
}
