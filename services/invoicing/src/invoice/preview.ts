import type { PreviewResource } from '@svc/contracts/invoice/preview';
import type { PreviewInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { jsonNumber } from '@svc/kernel';
import { explain } from '@svc/totals/explain';
import type { Call } from '../document/context.ts';
import { warningsNow } from './answer.ts';
import { creation, invoices } from './invoices.ts';
import { balance } from './domain/actions.ts';
import type { InvoiceState } from './domain/state.ts';

/** What `createInvoice` would make, by the same decision; nothing is stored. Throws what it throws. */
export async function previewInvoice(call: Call, body: PreviewInvoice): Promise<PreviewResource> {
  return previewOf(call, invoices.preview(await previewed(call, body), call.calculated));
}

/** The same, with the steps by which the totals come about. */
export async function explainInvoice(call: Call, body: PreviewInvoice): Promise<PreviewResource> {
  const preview = invoices.preview(await previewed(call, body), call.calculated);
  await call.turn?.(0); // the totals are calculated a second time
  const { explanation, left_out } = explain(preview.state.content, preview.state.totals);
  return { ...(await previewOf(call, preview)), explanation, explanation_left_out: left_out };
}

/** Without a customer: that of the invoice that it corrects, or none. */
async function previewed(call: Call, { customer_id, ...body }: PreviewInvoice): Promise<Creation> {
  if (customer_id !== undefined) return creation(call, { ...body, customer_id });
  const { preconditions, ...command } = await creation(call, { ...body, customer_id: NOBODY });
  const { original } = preconditions;
  return {
    ...command,
    body: { ...body, customer_id: original?.content.customer_id ?? NOBODY },
    preconditions: { ...preconditions, customerKnown: true },
  };
}

/** No customer has it. */
const NOBODY = '';

type Creation = Awaited<ReturnType<typeof creation>>;
interface Previewed {
  state: InvoiceState;
  resource: InvoiceResource;
}

async function previewOf(call: Call, { state, resource: shown }: Previewed): Promise<PreviewResource> {
  const { livemode, type, items, discounts, charges, currency, ...resource } = shown;
  const { prices_include_tax, rounding, subtotal, discount_total, charge_total, tax_total, retained_total, total, tax_breakdown } =
    resource;
  const { warnings } = await warningsNow(call, state.content);
  return {
    ...{ object: 'invoice_preview', livemode, type, items, discounts, charges, currency, prices_include_tax, rounding },
    ...{ subtotal, discount_total, charge_total, tax_total, retained_total, total, tax_breakdown },
    amount_due: jsonNumber(balance(state).due),
    warnings,
  };
}
