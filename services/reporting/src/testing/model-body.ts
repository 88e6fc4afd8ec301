import { decimal, iso, jsonNumber, toText } from '@svc/kernel';
import { decimals, type ModelDocument } from './model-document.ts';
import { line, registered, voidedAt } from './sample-documents.ts';

/** What an invoice says is paid, credited and due of it, in whole units. */
export interface Balance {
  paid: bigint;
  credited: bigint;
  due: bigint;
}

export const shown = (units: bigint, currency: ModelDocument['currency']): number =>
  jsonNumber(toText(decimal(`${units}e-${decimals[currency]}`)));

/** The fields of a document as its events show it. */
export function bodyOf(document: ModelDocument, { paid, credited, due }: Balance) {
  const { kind, net, tax, untaxed, retained, discount, exchange, currency, voided, outcome } = document;
  const money = (units: bigint): number => shown(units, currency);
  const ofInvoice = {
    ...{ type: document.type, corrects: document.corrects?.id ?? null, due_date: document.dueOn },
    ...{ amount_paid: money(paid), amount_credited: money(credited), amount_due: money(due) },
  };
  return {
    ...(kind === 'invoice' && ofInvoice),
    status: statusOf(document),
    customer: frozenCustomer(document),
    ...{ currency, customer_id: document.customer, issue_date: document.issuedOn, number: document.id.slice(-6) },
    ...{ series: document.series, issued_at: iso(document.numberedAt), rounding: document.rounding },
    ...{ subtotal: money(net), tax_total: money(tax), total: money(net + tax), retained_total: money(retained) },
    discount_total: money(discount),
    ...(exchange !== null && { exchange_rate: jsonNumber(toText(decimal(`${exchange}e-4`))) }),
    tax_breakdown: breakdownOf(document, money),
    items: [
      line({ product_id: document.product, quantity: 2, amount: money(net - untaxed) }),
      ...(untaxed === 0n ? [] : [line({ taxes: [], amount: money(untaxed) })]),
    ],
    fiscal: { ...registered, status: fiscalStatusOf(outcome, voided) },
    void: voided ? voidedAt(iso(voided.at)) : null,
  };
}

const breakdownOf = ({ taxes, net, retained }: ModelDocument, money: (units: bigint) => number) => [
  ...taxes.map(({ rate, base, tax }) => ({
    ...{ category: 'VAT', code: 'S', rate, retained: false, base: money(base), amount: money(tax) },
  })),
  ...(retained === 0n ? [] : [{ category: 'IRPF', code: 'S', rate: 15, retained: true, base: money(net), amount: money(retained) }]),
];

const fiscalStatusOf = (outcome: ModelDocument['outcome'], voided: ModelDocument['voided']): string =>
  outcome === null ? 'pending' : outcome.is === 'failed' ? 'rejected' : voided ? 'cancelled' : 'registered';

const frozenCustomer = ({ customer: id, name }: ModelDocument) =>
  id === null ? null : { id, name, email: null, phone: null, tax_id: null, language: null, address: null };

function statusOf({ kind, outcome, voided }: ModelDocument): string {
  if (voided) return 'voided';
  if (kind === 'receipt') return 'issued';
  return outcome === null ? 'submitting' : outcome.is === 'failed' ? 'failed' : 'submitted';
}
