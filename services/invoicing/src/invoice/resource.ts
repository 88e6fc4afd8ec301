import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { jsonNumber } from '@svc/kernel';
import { amountDue, availableActions, creditedOf, paymentStatus, publicStatus } from './domain/actions.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { numberedShape, voidShape, writtenShape } from '../document/shape.ts';

const unnumbered = { customer: null, issuer: null, number: null, issued_at: null, fiscal_code: null, fiscal: null };

/** The invoice as everyone outside sees it: GET, lists, webhooks and the bus alike. */
export function invoiceResource(state: InvoiceState, version: number): InvoiceResource {
  const { type, customer_id, issue_date, due_date, corrects } = state.content;
  return {
    id: state.id,
    object: 'invoice',
    type,
    status: publicStatus(state),
    available_actions: availableActions(state),
    customer_id,
    ...writtenShape(state),
    ...{ issue_date, due_date, corrects },
    ...(isNumbered(state) ? numberedShape(state) : unnumbered),
    amount_paid: 0,
    amount_credited: jsonNumber(creditedOf(state)),
    amount_due: jsonNumber(amountDue(state)),
    payment_status: paymentStatus(state),
    void: 'void' in state && state.void ? voidShape(state.void) : null,
    version,
  };
}
