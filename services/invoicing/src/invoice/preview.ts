import type { PreviewResource } from '@svc/contracts/invoice/preview';
import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { jsonNumber } from '@svc/kernel';
import { explain } from '../totals/explain.ts';
import type { Call } from '../document/documents.ts';
import { creation } from './create.ts';
import { balance } from './domain/actions.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoices } from './invoices.ts';

/** What `createInvoice` would make, by the same decision; nothing is stored. Throws what it throws. */
export async function previewInvoice(call: Call, body: CreateInvoice): Promise<PreviewResource> {
  return previewOf(invoices.preview(await creation(call, body), call.calculated));
}

/** The same, with the steps by which the totals come about. */
export async function explainInvoice(call: Call, body: CreateInvoice): Promise<PreviewResource> {
  const preview = invoices.preview(await creation(call, body), call.calculated);
  await call.turn?.(0); // the totals are calculated a second time
  const { explanation, left_out } = explain(preview.state.content, preview.state.totals);
  return { ...previewOf(preview), explanation, explanation_left_out: left_out };
}

function previewOf({ state, resource: shown }: { state: InvoiceState; resource: InvoiceResource }): PreviewResource {
  const { livemode, type, items, discounts, charges, currency, ...resource } = shown;
  const { prices_include_tax, rounding, subtotal, discount_total, charge_total, tax_total, retained_total, total, tax_breakdown } =
    resource;
  return {
    ...{ object: 'invoice_preview', livemode, type, items, discounts, charges, currency, prices_include_tax, rounding },
    ...{ subtotal, discount_total, charge_total, tax_total, retained_total, total, tax_breakdown },
    amount_due: jsonNumber(balance(state).due),
  };
}
