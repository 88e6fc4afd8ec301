import type { PreviewResource } from '@svc/contracts/invoice/preview';
import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { explain } from '../totals/explain.ts';
import type { Call } from '../document/documents.ts';
import { creation } from './create.ts';
import { invoices } from './invoices.ts';

/** What `createInvoice` would make, by the same decision; nothing is stored. Throws what it throws. */
export async function previewInvoice(call: Call, body: CreateInvoice): Promise<PreviewResource> {
  return previewOf(invoices.preview(await creation(call, body), call.calculated).resource);
}

/** The same, with the steps by which the totals come about. */
export async function explainInvoice(call: Call, body: CreateInvoice): Promise<PreviewResource> {
  const { state, resource } = invoices.preview(await creation(call, body), call.calculated);
  await call.turn?.(0); // the totals are calculated a second time
  const { explanation, left_out } = explain(state.content);
  return { ...previewOf(resource), explanation, explanation_left_out: left_out };
}

function previewOf({ livemode, type, items, discounts, charges, currency, ...resource }: InvoiceResource): PreviewResource {
  const { prices_include_tax, rounding, subtotal, discount_total, charge_total, tax_total, retained_total, total, tax_breakdown } =
    resource;
  return {
    ...{ object: 'invoice_preview', livemode, type, items, discounts, charges, currency, prices_include_tax, rounding },
    ...{ subtotal, discount_total, charge_total, tax_total, retained_total, total, tax_breakdown },
  };
}
