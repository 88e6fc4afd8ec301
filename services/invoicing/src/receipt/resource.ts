import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { jsonNumber } from '@svc/kernel';
import { contentShape, totalsShape, voidShape } from '../document/shape.ts';
import { availableActions } from './domain/actions.ts';
import type { NumberedReceipt } from './domain/state.ts';

/** The receipt as everyone outside sees it: GET, lists, webhooks and the bus alike. */
export function receiptResource(state: NumberedReceipt, version: number): ReceiptResource {
  const { id, livemode, created_at, updated_at, status, content, totals, parties, issue, fiscal } = state;
  const { tax_breakdown, ...sums } = totalsShape(totals);
  return {
    id,
    object: 'receipt',
    livemode,
    status,
    available_actions: availableActions(state),
    customer_id: content.customer_id,
    customer: parties.customer,
    issuer: parties.issuer,
    ...contentShape(content, totals),
    issue_date: issue.issue_date,
    issued_at: issue.issued_at,
    number: issue.number,
    payment_method: content.payment_method,
    payments: content.payments.map(({ method, amount }) => ({ method, amount: jsonNumber(amount) })),
    unit: content.unit,
    device: content.device,
    operator: content.operator,
    notes: content.notes,
    ...sums,
    tax_breakdown,
    fiscal_code: fiscal.code,
    fiscal,
    void: state.void && voidShape(state.void),
    metadata: content.metadata,
    created_at,
    updated_at,
    version,
  };
}
