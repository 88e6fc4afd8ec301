import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import { dayIn, iso, prefixed } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import type { Circumstances } from './domain/content.ts';
import { isActive } from '../document/domain/parties.ts';
import { invoicesOf, invoiceStream, resourceAfter, type InvoiceCall } from './invoices.ts';
import type { InvoiceResource } from './resource.ts';

/** A draft. Asked again under the same command id it answers with the invoice made before. Throws validation_error. */
export async function createInvoice({ context, identity, turn }: InvoiceCall, body: CreateInvoice): Promise<InvoiceResource> {
  const { account, env, livemode } = identity;
  const id = prefixed('inv', identity.commandId);
  const circumstances = await circumstancesOf({ context, identity }, body.customer_id);
  const at = iso(context.clock.now());
  const command = { type: 'create' as const, at, id, livemode, body, circumstances };
  const stream = invoiceStream({ account, env, id });
  return resourceAfter(await invoicesOf(context).handle(stream, () => command, metadataOf(identity), turn));
}

/** What writing an invoice depends on now. `customerId`: the one that the body names, if it names one. */
export async function circumstancesOf({ context, identity }: InvoiceCall, customerId: string | undefined): Promise<Circumstances> {
  const { account, env } = identity;
  const [defaults, customer] = await Promise.all([
    context.issuers.of(account, env),
    customerId === undefined ? undefined : context.customers.find(account, env, customerId),
  ]);
  return { defaults, today: dayIn(defaults.time_zone, context.clock.now()), customerKnown: isActive(customer) };
}
