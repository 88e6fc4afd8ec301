import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import type { ReceiptResource } from '@svc/contracts/receipt/resource';
import type { Item } from '@svc/contracts/document/line';
import type { FrozenCustomer, FrozenIssuer } from '@svc/contracts/document/parties';
import type { Tax } from '@svc/contracts/tax';
import { currencyDecimals, dayIn, decimal, millisOf, numberText, round, type Decimal } from '@svc/kernel';
import { exactText } from '@svc/totals/line';
import type { Numbers } from './numbers.ts';
import type { Words } from './words.ts';

/** `exchange_rate`: the issuer's currency per unit of the document's. A draft has the issuer and the customer as they are now. */
export type PdfInvoice = Omit<InvoiceResource, 'issuer' | 'customer'> &
  Parties & { supply_date?: string | null; exchange_rate?: number | null };
export type PdfReceipt = Omit<ReceiptResource, 'issuer' | 'customer'> & Parties;
export type PdfDocument = PdfInvoice | PdfReceipt;

type ShownOfIssuer = 'legal_name' | 'trade_name' | 'tax_id' | 'address' | 'country' | 'currency' | 'time_zone' | 'language' | 'authority';

export interface Parties {
  issuer: (Pick<FrozenIssuer, ShownOfIssuer> & Pick<FrozenIssuer, 'units' | 'operators' | 'software_code' | 'tax_regime'>) | null;
  customer: Pick<FrozenCustomer, 'name' | 'tax_id' | 'tax_ids' | 'email' | 'address' | 'language'> | null;
}

/** A document with the words and numbers of its language. */
export interface Written<Document extends PdfDocument = PdfDocument> {
  document: Document;
  words: Words;
  numbers: Numbers;
  /** Number of the document that it corrects. */
  corrects: string | null;
}

/** The tax id, and VAT identifiers of other countries. null: none. */
export const taxIdsOf = (customer: Pick<NonNullable<Parties['customer']>, 'tax_id' | 'tax_ids'> | null): string | null =>
  [customer?.tax_id, ...(customer?.tax_ids ?? []).map(({ kind, value }) => kind === 'vat' && value)].filter(Boolean).join(', ') || null;

/** DRAFT, VOIDED, TEST: what the document is not. */
export function marksOf({ document, words: { marks } }: Written): string[] {
  return [
    ...(document.number === null ? [marks.draft] : []),
    ...(document.status === 'voided' ? [marks.voided] : []),
    ...(document.livemode ? [] : [marks.test]),
  ];
}

/** Day of issue: of the time zone of the issuer where the document states none; null of a draft. */
export const issueDayOf = ({ issue_date, issued_at, issuer }: PdfDocument): string | null =>
  issue_date ?? (issued_at ? dayIn(issuer?.time_zone ?? 'UTC', millisOf(issued_at)) : null);

/** Day and time of issue in the issuer's zone, `HH:mm`; null of a draft. */
export const issueTimeOf = ({ issued_at, issuer }: PdfDocument, { day }: Numbers): string | null =>
  issued_at ? `${day(dayIn(issuer?.time_zone ?? 'UTC', millisOf(issued_at)))} ${timeOf(issued_at, issuer?.time_zone)}` : null;

/** `HH:mm`. */
export const timeOf = (moment: string, timeZone: string | null | undefined): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: timeZone ?? 'UTC', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    millisOf(moment),
  );

type Addressed = Pick<NonNullable<Parties['customer']>, 'address'> | null;

export function addressLines(party: Addressed): string[] {
  const { line1, line2, city, postal_code, region, country } = party?.address ?? {};
  const place = [postal_code, city].filter(Boolean).join(' ');
  return [line1, line2, place, region, country].filter((line): line is string => Boolean(line));
}

/** The taxes of a line: `20 %`, `0 % (E)`, `IGIC 7 %`, `21 % + 5.2 %`, `IRPF -15 %`. */
export const taxTexts = ({ taxes }: Item, { numbers }: Written): string[] => taxes.map((tax) => taxText(tax, numbers));

function taxText({ category, rate, code, surcharge, retained }: Tax, { plain }: Numbers): string {
  const name = category === 'VAT' ? '' : `${category} `;
  const more = surcharge ? ` + ${plain(surcharge)}\u00a0%` : '';
  return `${name}${retained ? '-' : ''}${plain(rate)}\u00a0%${more}${code === 'S' ? '' : ` (${code})`}`;
}

/** Common codes of UN/ECE recommendation 20; the code itself for others, nothing for a piece. */
const units: Record<string, string> = {
  ...{ C62: '', H87: '', KGM: 'kg', GRM: 'g', TNE: 't', LTR: 'l', MLT: 'ml', MTR: 'm', CMT: 'cm', KMT: 'km' },
  ...{ MTK: 'm²', MTQ: 'm³', HUR: 'h', MIN: 'min', DAY: 'd', KWH: 'kWh' },
};

export const quantityText = ({ quantity, unit }: Item, { numbers }: Written): string =>
  [numbers.plain(quantity), units[unit] ?? unit].filter(Boolean).join(' ');

/** What a line comes to at its price, with tax where the price includes it. */
export function grossOf({ quantity, unit_price, discount_amount, charge_amount }: Item, currency: string): Decimal {
  const gross = decimal(exactText(quantity)).times(exactText(unit_price));
  return round(gross.minus(numberText(discount_amount)).plus(numberText(charge_amount)), currencyDecimals(currency) ?? 2);
}

/** Discounts and charges of a line with their reasons: `Discount: -10.00 (Loyalty)`. */
export function adjustmentTexts({ discounts, charges, discount_amount, charge_amount }: Item, { words, numbers }: Written): string[] {
  const text = (name: string, amount: string, list: Item['discounts']): string[] => {
    const reasons = [...new Set(list.flatMap(({ reason }) => reason || []))].join('; ');
    return list.length === 0 ? [] : [`${name}: ${amount}${reasons && ` (${reasons})`}`];
  };
  return [...text(words.discount, numbers.minus(discount_amount), discounts), ...text(words.charge, numbers.money(charge_amount), charges)];
}

/** Label and amount of each row of the totals; `strong` for what matters. */
export interface TotalRow {
  label: string;
  amount: string;
  strong: boolean;
}

/** From the sum without tax to what is to pay. */
export function totalRows({ document, words, numbers }: Written): TotalRow[] {
  const { discount_total, charge_total, subtotal, tax_total, retained_total, total } = document;
  const row = (label: string, amount: number, strong = false): TotalRow => ({ label, amount: numbers.money(amount), strong });
  const less = (label: string, amount: number): TotalRow[] => (amount ? [{ label, amount: numbers.minus(amount), strong: false }] : []);
  const { amount_paid, amount_credited, amount_due } = 'amount_due' in document ? document : { amount_paid: 0, amount_credited: 0 };
  const changed = Boolean(retained_total || amount_paid || amount_credited);
  return [
    ...less(words.discount, discount_total),
    ...(charge_total ? [row(words.charge, charge_total)] : []),
    row(words.subtotal, subtotal),
    row(words.taxTotal, tax_total),
    row(`${words.total} ${document.currency}`, total, true),
    ...less(words.retained, retained_total),
    ...less(words.paid, amount_paid),
    ...less(words.credited, amount_credited),
    ...(changed && amount_due !== undefined ? [row(`${words.toPay} ${document.currency}`, amount_due, true)] : []),
  ];
}

/** Name of a row of the breakdown: `VAT 20 %`, `VAT 0 % (E)`, `IRPF -15 %`. */
export function taxName(
  { category, rate, code, retained, surcharge }: PdfDocument['tax_breakdown'][number],
  { words, numbers }: Written,
): string {
  const name = category === 'VAT' ? words.vat : category;
  const more = surcharge ? ` + ${words.surcharge} ${numbers.plain(surcharge.rate)}\u00a0%` : '';
  return `${name} ${retained ? '-' : ''}${numbers.plain(rate)}\u00a0%${more}${code === 'S' ? '' : ` (${code})`}`;
}
