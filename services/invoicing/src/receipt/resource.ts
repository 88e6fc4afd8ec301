import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import type { ReceiptType } from '@svc/contracts/receipt/vocabulary';
import { jsonNumber } from '@svc/kernel';
import { numberedShape, voidShape, writtenShape } from '../document/shape.ts';
import { availableActions, shownReasons } from './domain/actions.ts';
import type { NumberedReceipt, ReceiptContent } from './domain/state.ts';

/** A receipt is a sale, or the corrective that takes one back. */
export const typeOf = ({ corrects }: ReceiptContent): { type: ReceiptType; corrects: string | null } =>
  corrects === undefined ? { type: 'receipt', corrects: null } : { type: 'corrective', corrects };

/** The receipt as everyone outside sees it: GET, lists, webhooks and the bus alike. */
export function receiptResource(state: NumberedReceipt, version: number): ReceiptResource {
  const { type, corrects } = typeOf(state.content);
  const [available_actions, unavailable_actions] = [availableActions(state), shownReasons(state)];
  const { customer_id, payment_method, payments, unit, device, operator } = state.content;
  return {
    id: state.id,
    object: 'receipt',
    type,
    status: state.status,
    ...{ number: state.issue.number, fiscal_code: state.fiscal.code, total: jsonNumber(state.totals.total) },
    corrects,
    available_actions,
    ...(unavailable_actions && { unavailable_actions }),
    customer_id,
    ...writtenShape(state),
    ...numberedShape('receipt', { ...state, reversal: corrects === null ? undefined : true }, available_actions),
    issue_date: state.issue.issue_date,
    payment_method,
    payments: payments.map(({ method, amount }) => ({ method, amount: jsonNumber(amount) })),
    ...{ unit, device, operator },
    void: state.void && voidShape(state.void, state.fiscal),
    version,
  };
}
