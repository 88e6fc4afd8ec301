import { iso } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import { onExisting, receiptsOf, receiptStream, resourceAfter, type Named, type ReceiptCall } from './receipts.ts';
import type { ReceiptResource } from './resource.ts';

/** Also while its registration is under way: the wish is kept until the outcome is known. Throws not_found, version_conflict. */
export async function voidReceipt(
  { context, identity, turn }: ReceiptCall,
  { reason, ...named }: Named & { reason: string },
): Promise<ReceiptResource> {
  const { account, env } = identity;
  const decideOn = onExisting(named, { type: 'void', at: iso(context.clock.now()), reason });
  const stream = receiptStream({ account, env, id: named.id });
  return resourceAfter(await receiptsOf(context).handle(stream, decideOn, metadataOf(identity), turn));
}
