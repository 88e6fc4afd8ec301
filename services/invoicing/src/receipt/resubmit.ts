import { iso } from '@svc/kernel';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import type { Call, Named } from '../document/documents.ts';
import { receipts } from './receipts.ts';

/** Sends a receipt again that was rejected for credentials or setup. Throws not_found, version_conflict, invalid_state. */
export const resubmitReceipt = (call: Call, named: Named): Promise<ReceiptResource> =>
  receipts.change(call, named, async () => {
    const { context, identity } = call;
    return { type: 'resubmit', at: iso(context.clock.now()), issuer: await context.issuers.of(identity.account, identity.env) };
  });
