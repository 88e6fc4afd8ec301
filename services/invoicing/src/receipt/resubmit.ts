import { iso } from '@svc/kernel';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import type { Call, Named } from '../document/documents.ts';
import { receipts } from './receipts.ts';

/** Sends a receipt again that was rejected for credentials or setup. Throws not_found, version_conflict, invalid_state. */
export async function resubmitReceipt(call: Call, named: Named): Promise<ReceiptResource> {
  const { context, identity } = call;
  const issuer = await context.issuers.of(identity.account, identity.env);
  return receipts.change(call, named, () => ({ type: 'resubmit', at: iso(context.clock.now()), issuer }));
}
