import { iso } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import { onExisting, receiptsOf, receiptStream, resourceAfter, type Named, type ReceiptCall } from './receipts.ts';
import type { ReceiptResource } from './resource.ts';

/** Sends a receipt again that was rejected for credentials or setup. Throws not_found, version_conflict, invalid_state. */
export async function resubmitReceipt({ context, identity, turn }: ReceiptCall, named: Named): Promise<ReceiptResource> {
  const { account, env } = identity;
  const issuer = await context.issuers.of(account, env);
  const decideOn = onExisting(named, { type: 'resubmit', at: iso(context.clock.now()), issuer });
  const stream = receiptStream({ account, env, id: named.id });
  return resourceAfter(await receiptsOf(context).handle(stream, decideOn, metadataOf(identity), turn));
}
