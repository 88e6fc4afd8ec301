import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { jsonNumber } from '@svc/kernel';
import { amountDue, availableActions, isPaid, publicStatus } from './domain/actions.ts';
import { isNumbered, type InvoiceState, type NumberedInvoice } from './domain/state.ts';
import { contentShape, totalsShape, voidShape } from '../document/shape.ts';

/** The invoice as everyone outside sees it: GET, lists, webhooks and the bus alike. */
export function invoiceResource(state: InvoiceState, version: number): InvoiceResource {
  const { id, livemode, created_at, updated_at, content, totals } = state;
  const numbered: NumberedInvoice | undefined = isNumbered(state) ? state : undefined;
  const { tax_breakdown, ...sums } = totalsShape(totals);
  return {
    id,
    object: 'invoice',
    livemode,
    type: content.type,
    status: publicStatus(state),
    available_actions: availableActions(state),
    customer_id: content.customer_id,
    customer: numbered?.parties.customer ?? null,
    issuer: numbered?.parties.issuer ?? null,
    ...contentShape(content, totals),
    issue_date: content.issue_date,
    due_date: content.due_date,
    issued_at: numbered?.issue.issued_at ?? null,
    number: numbered?.issue.number ?? null,
    corrects: content.corrects,
    notes: content.notes,
    ...sums,
    amount_paid: 0,
    amount_credited: 0,
    amount_due: jsonNumber(amountDue(state)),
    payment_status: isPaid(state) ? 'paid' : 'unpaid',
    tax_breakdown,
    fiscal_code: numbered?.fiscal.code ?? null,
    fiscal: numbered?.fiscal ?? null,
    void: 'void' in state && state.void ? voidShape(state.void) : null,
    metadata: content.metadata,
    created_at,
    updated_at,
    version,
  };
}
