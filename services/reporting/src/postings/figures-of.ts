import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import { decimal, numberText, toText, currencyDecimals, round, sharing, sum, Decimal, percentOf, ZERO } from '@svc/kernel';
import type { Figures, TaxGroup, ProductLines } from './posting.ts';
import type { TaxBreakdown } from '@svc/contracts/document/totals';
import type { Item } from '@svc/contracts/document/line';

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
    ...(data.object === 'invoice' ? dueOf(data) : { till: tillOf(data) }),
  };
}

export const isCreditNote = (data: DocumentData): boolean => data.object === 'invoice' && data.type === 'credit_note';

/** The issuer's currency per unit of the document's; undefined where the document does not state it. */
function rateOf(data: DocumentData): string | undefined {
  if (data.currency === data.issuer?.currency) return '1';
  const rate = data.object === 'invoice' ? data.exchange_rate : null;
  return rate === undefined || rate === null ? undefined : numberText(rate);
}

const dueOf = ({ due_date, issue_date, payment_method }: InvoiceResource): Pick<Figures, 'due_on' | 'payment_method'> => ({
  due_on: due_date ?? (issue_date as string),
  ...(payment_method && { payment_method }),
});

const tillOf = ({ payments, unit, device, operator }: ReceiptResource): Figures['till'] => ({
  payments: payments.map(({ method, amount }) => ({ method, amount: numberText(amount) })),
  ...{ unit, device, operator },
});

/** `rate`: the issuer's currency per unit of the document's; undefined: not known. */
interface Exchange {
  issuerCurrency: string | null;
  rate: string | undefined;
}

/** A document's tax groups by category, code and rate; groups that differ only in surcharge or in being retained are combined. */
function taxGroups(breakdown: readonly TaxBreakdown[], { issuerCurrency, rate: exchange }: Exchange): TaxGroup[] {
  const groups = new Map<string, TaxGroup>();
  for (const row of breakdown) {
    const { category, code, base } = row;
    const rate = numberText(row.rate);
    const key = `${category} ${code} ${rate}`;
    const group = groups.get(key) ?? { category, code, rate, base: '0', tax: '0', retained: '0' };
    const borne = row.retained ? 'retained' : 'tax';
    groups.set(key, { ...group, base: added(group.base, numberText(base)), [borne]: added(group[borne], wholeOf(row)) });
  }
  const all = [...groups.values()];
  if (issuerCurrency === null || exchange === undefined) return all;
  if (exchange === '1') return all.map((group) => ({ ...group, issuer: { base: group.base, tax: group.tax } }));
  const places = currencyDecimals(issuerCurrency) ?? 2;
  const converted = (amount: string): Decimal => decimal(amount).times(exchange);
  const taxes = roundedTogether(
    all.map(({ tax }) => converted(tax)),
    places,
  );
  return all.map((group, n) => ({
    ...group,
    issuer: { base: toText(round(converted(group.base), places)), tax: toText(taxes[n] as Decimal) },
  }));
}

/**
 * Amounts that add up to their sum as it is rounded once, which is what a document shows of its taxes (EN 16931 BT-111): each is rounded down, and the largest
 * remainders get a unit each.
 */
function roundedTogether(amounts: readonly Decimal[], places: number): Decimal[] {
  const below = amounts.map((amount) => {
    const rounded = round(amount, places);
    return rounded.cmp(amount) > 0 ? rounded.minus(new Decimal(1, places)) : rounded;
  });
  const remainders = amounts.map((amount, n) => amount.minus(below[n] as Decimal));
  const left = round(sum(amounts), places).minus(sum(below));
  return sharing(remainders, places)(left).map((more, n) => (below[n] as Decimal).plus(more));
}

const wholeOf = ({ amount, surcharge }: TaxBreakdown): Decimal => decimal(numberText(amount)).plus(numberText(surcharge?.amount ?? 0));
const added = (before: string, more: string | Decimal): string => toText(decimal(before).plus(more));

/**
 * Sums the lines by product; lines without a product are skipped. A document has its tax per tax group, not per line: a product's tax is Σ
 * net × rate over its lines, rounded once.
 */
function productLines({ items, currency }: { items: readonly Item[]; currency: string }): ProductLines[] {
  const byProduct = new Map<string, { quantity: Decimal; net: Decimal; tax: Decimal }>();
  for (const { product_id, quantity, amount, taxes } of items) {
    if (product_id === null) continue;
    const before = byProduct.get(product_id) ?? { quantity: ZERO, net: ZERO, tax: ZERO };
    const net = decimal(numberText(amount));
    byProduct.set(product_id, {
      quantity: before.quantity.plus(numberText(quantity)),
      net: before.net.plus(net),
      tax: before.tax.plus(taxOn(net, taxes)),
    });
  }
  const places = currencyDecimals(currency) ?? 2;
  return [...byProduct].map(([product_id, { quantity, net, tax }]) => ({
    product_id,
    quantity: toText(quantity),
    subtotal: toText(net),
    tax: toText(round(tax, places)),
  }));
}

/** The exact tax on a net amount; retained tax does not count. */
function taxOn(net: Decimal, taxes: Item['taxes']): Decimal {
  let tax = ZERO;
  for (const { rate, surcharge, retained } of taxes)
    if (!retained) tax = tax.plus(percentOf(net, decimal(numberText(rate)).plus(numberText(surcharge ?? 0))));
  return tax;
}
