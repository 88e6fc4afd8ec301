import { iso } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import { invoicesOf, invoiceStream, onExisting, resourceAfter, type InvoiceCall, type Named } from './invoices.ts';
import type { InvoiceResource } from './resource.ts';

/**
 * A draft or a rejected invoice is void at once; a registered one when the authority has annulled it. Throws not_found,
 * version_conflict, validation_error naming `reason`, invalid_state.
 */
export async function voidInvoice(
  { context, identity, turn }: InvoiceCall,
  { reason, ...named }: Named & { reason: string | null },
): Promise<InvoiceResource> {
  const { account, env } = identity;
  const at = iso(context.clock.now());
  const decideOn = onExisting(named, () => ({ type: 'void', at, reason }));
  const stream = invoiceStream({ account, env, id: named.id });
  return resourceAfter(await invoicesOf(context).handle(stream, decideOn, metadataOf(identity), turn));
}
