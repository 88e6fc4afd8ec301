import { invoicesOf, resourceAfter, type InvoiceCall } from './invoices.ts';
import type { InvoiceResource } from './resource.ts';

/** As the store has it now. Throws not_found. */
export async function readInvoice({ context, identity: { account, env }, turn }: InvoiceCall, id: string): Promise<InvoiceResource> {
  return resourceAfter(await invoicesOf(context).current({ account, env, id }, turn));
}
