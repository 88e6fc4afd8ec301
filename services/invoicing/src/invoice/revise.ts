import type { UpdateInvoice } from '@svc/contracts/invoice/requests';
import { iso } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import { circumstancesOf } from './create.ts';
import { checkRoom, checkRoomForMore, KEPT_FOR_OUTCOMES } from '../longest-stream.ts';
import { invoicesOf, invoiceStream, onExisting, resourceAfter, type InvoiceCall, type Named } from './invoices.ts';
import type { InvoiceResource } from './resource.ts';

const STILL = 'It can still be submitted and voided.';

/** A merge patch. Throws not_found, version_conflict, validation_error, invalid_state. */
export async function reviseInvoice(
  { context, identity, turn }: InvoiceCall,
  { body, ...named }: Named & { body: UpdateInvoice },
): Promise<InvoiceResource> {
  const { account, env } = identity;
  const stream = invoiceStream({ account, env, id: named.id });
  const circumstances = await circumstancesOf({ context, identity }, body.customer_id);
  const at = iso(context.clock.now());
  const decideOn = onExisting(named, (_state, version, bytes) => {
    checkRoom(version + KEPT_FOR_OUTCOMES, STILL);
    checkRoomForMore(bytes, STILL);
    return { type: 'revise', at, body, circumstances };
  });
  return resourceAfter(await invoicesOf(context).handle(stream, decideOn, metadataOf(identity), turn));
}
