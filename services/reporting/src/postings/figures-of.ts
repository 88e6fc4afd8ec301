import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { decimal, numberText, toText } from '@svc/kernel';
import type { Figures } from './posting.ts';
import { productLines } from './product-lines.ts';
import { taxGroups } from './tax-groups.ts';

export type DocumentData = InvoiceResource | ReceiptResource;
export type DocumentEvent = PublicEvent<DocumentData>;

/** The amounts with which a registered document counts, or a void takes it back. */
export function figuresOf(data: DocumentData, documents: Figures['documents']): Figures {
  const { customer, issuer } = data;
  return {
    documents,
    sign: isCreditNote(data) === (documents === 1) ? -1 : 1,
    subtotal: numberText(data.subtotal),
    discount_total: numberText(data.discount_total),
    tax_total: numberText(data.tax_total),
    total: numberText(data.total),
    payable: toText(decimal(numberText(data.total)).minus(numberText(data.retained_total))),
    taxes: taxGroups(data.tax_breakdown, { issuerCurrency: issuer?.currency ?? null, rate: rateOf(data) }),
    products: productLines(data),
    issuer_currency: issuer?.currency ?? null,
    customer_name: customer?.name ?? null,
    customer_tax_id: customer?.tax_id ?? null,
    ...(data.object === 'invoice' ? { due_on: data.due_date ?? (data.issue_date as string) } : { till: tillOf(data) }),
  };
}

export const isCreditNote = (data: DocumentData): boolean => data.object === 'invoice' && data.type === 'credit_note';

/** The issuer's currency per unit of the document's; undefined where the document does not state it. */
function rateOf(data: DocumentData): string | undefined {
  if (data.currency === data.issuer?.currency) return '1';
  const rate = data.object === 'invoice' ? data.exchange_rate : null;
  return rate === undefined || rate === null ? undefined : numberText(rate);
}

const tillOf = ({ payments, unit, device, operator }: ReceiptResource): Figures['till'] => ({
  payments: payments.map(({ method, amount }) => ({ method, amount: numberText(amount) })),
  ...{ unit, device, operator },
});
