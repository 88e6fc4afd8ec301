import { receiptsOf, resourceAfter, type ReceiptCall } from './receipts.ts';
import type { ReceiptResource } from './resource.ts';

/** As the store has it now. Throws not_found. */
export async function readReceipt({ context, identity: { account, env }, turn }: ReceiptCall, id: string): Promise<ReceiptResource> {
  return resourceAfter(await receiptsOf(context).current({ account, env, id }, turn));
}
