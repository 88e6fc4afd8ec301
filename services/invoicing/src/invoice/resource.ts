import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { jsonNumber } from '@svc/kernel';
import { availableActions, publicStatus, shownBalance, shownReasons } from './domain/actions.ts';
import { isNumbered, type InvoiceState } from './domain/state.ts';
import { numberedShape, voidShape, writtenShape } from '../document/shape.ts';

const unnumbered = { customer: null, issuer: null, number: null, issued_at: null, fiscal_code: null, fiscal: null };

/** The invoice as everyone outside sees it: GET, lists, webhooks and the bus alike. */
export function invoiceResource(state: InvoiceState, version: number): InvoiceResource {
  const [available_actions, unavailable_actions] = [availableActions(state), shownReasons(state)];
  const { paid, credited, due, status: payment_status } = shownBalance(state);
  const { type, customer_id, issue_date, due_date, corrects, supply_date = null, exchange_rate = null } = state.content;
  const { payment_method, unit, device, operator, correction_code } = state.content;
  return {
    id: state.id,
    object: 'invoice',
    type,
    status: publicStatus(state),
    // What callers look for first stands first; the spreads below fill it in.
    ...{ number: null, fiscal_code: null, total: jsonNumber(state.totals.total) },
    available_actions,
    ...(unavailable_actions && { unavailable_actions }),
    customer_id,
    ...writtenShape(state),
    ...{ issue_date, due_date, corrects },
    ...(isNumbered(state) ? numberedShape('invoice', state, available_actions) : unnumbered),
    amount_paid: jsonNumber(paid),
    amount_credited: jsonNumber(credited),
    amount_due: jsonNumber(due),
    payment_status,
    void: 'void' in state && state.void ? voidShape(state.void, isNumbered(state) ? state.fiscal : null) : null,
    version,
    supply_date,
    exchange_rate: exchange_rate === null ? null : jsonNumber(exchange_rate),
    ...(payment_method && { payment_method }),
    ...(unit && { unit }),
    ...(device && { device }),
    ...(operator && { operator }),
    ...(correction_code && { correction_code }),
    ...(state.reversal && { voids: corrects }),
  };
}
