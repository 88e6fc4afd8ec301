import type { CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { dayIn, iso, prefixed } from '@svc/kernel';
import type { Preconditions } from './domain/content.ts';
import type { InvoiceCommand } from './domain/decide.ts';
import { canBeInvoiced } from '../document/domain/parties.ts';
import { checkSimulation } from '@svc/contracts/document/simulation';
import { originalOf } from './invoices.ts';
import type { Call } from '../document/documents.ts';
import { invoices } from './invoices.ts';

/** A draft. Asked again under the same command id it answers with the invoice made before. Throws validation_error. */
export async function createInvoice(call: Call, body: CreateInvoice): Promise<InvoiceResource> {
  return invoices.resourceAfter(await invoices.run(call, idFor(call), () => creation(call, body)));
}

/** The command that creates it, under the id that follows from the command id. */
export async function creation(call: Call, body: CreateInvoice): Promise<Extract<InvoiceCommand, { type: 'create' }>> {
  checkSimulation(call.identity, body.metadata);
  const preconditions = await preconditionsOf(call, body, body.corrects ?? null);
  return { type: 'create', at: iso(call.context.clock.now()), id: idFor(call), livemode: call.identity.livemode, body, preconditions };
}

const idFor = ({ identity }: Call): string => prefixed('inv', identity.commandId);

/** What writing an invoice depends on now. `corrects`: id of the invoice that it corrects. */
export async function preconditionsOf(
  { context, identity, customers = context.customers }: Call,
  { customer_id: customerId, items }: UpdateInvoice,
  corrects: string | null,
): Promise<Preconditions> {
  const { account, env } = identity;
  const [defaults, customer, products, original] = await Promise.all([
    context.issuers.of(account, env),
    customerId === undefined ? undefined : customers.find(account, env, customerId),
    context.products.named(account, env, items),
    originalOf(context, identity, corrects),
  ]);
  return {
    defaults,
    today: dayIn(defaults.time_zone, context.clock.now()),
    customerKnown: canBeInvoiced(customer, corrects),
    products,
    original: original.state,
  };
}
