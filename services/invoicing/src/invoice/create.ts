import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { dayIn, iso, prefixed } from '@svc/kernel';
import { metadataOf } from '../context.ts';
import type { Preconditions } from './domain/content.ts';
import { isActive } from '../document/domain/parties.ts';
import type { Call } from '../document/documents.ts';
import { invoices } from './invoices.ts';

/** A draft. Asked again under the same command id it answers with the invoice made before. Throws validation_error. */
export async function createInvoice({ context, identity, turn }: Call, body: CreateInvoice): Promise<InvoiceResource> {
  const { account, env, livemode } = identity;
  const id = prefixed('inv', identity.commandId);
  const preconditions = await preconditionsOf({ context, identity }, body.customer_id);
  const at = iso(context.clock.now());
  const command = { type: 'create' as const, at, id, livemode, body, preconditions };
  return invoices.resourceAfter(await invoices.handle(context, { account, env, id }, () => command, metadataOf(identity), turn));
}

/** What writing an invoice depends on now. `customerId`: the one that the body names, if it names one. */
export async function preconditionsOf({ context, identity }: Call, customerId: string | undefined): Promise<Preconditions> {
  const { account, env } = identity;
  const [defaults, customer] = await Promise.all([
    context.issuers.of(account, env),
    customerId === undefined ? undefined : context.customers.find(account, env, customerId),
  ]);
  return { defaults, today: dayIn(defaults.time_zone, context.clock.now()), customerKnown: isActive(customer) };
}
