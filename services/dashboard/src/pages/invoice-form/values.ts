import type { Resource } from '../../api/types.ts';
import { customerName, type Invoice } from '../../documents/documents.ts';
import { readDecimal } from '../../format/decimals.ts';
import { taxOf, taxValues, type TaxValues } from '../../taxes/tax-values.ts';

/** A discount or a charge as it is typed. `taxes` are kept as they were read. */
export interface AdjustmentValues {
  kind: 'percent' | 'amount';
  value: string;
  reason: string;
  taxes: Resource<'TaxInput'>[] | null;
}

export interface LineValues {
  /** Of this form alone: it stays while lines move. */
  key: number;
  product_id: string | null;
  description: string;
  quantity: string;
  unit: string;
  unit_price: string;
  /** Null: the issuer's default. */
  taxes: TaxValues[] | null;
  discounts: AdjustmentValues[];
  charges: AdjustmentValues[];
}

/** All but the lines. */
export interface Head {
  type: 'standard' | 'credit_note' | 'corrective';
  corrects: string | null;
  customer: { id: string; name: string } | null;
  currency: string;
  prices_include_tax: boolean;
  rounding: Resource<'Rounding'>;
  series: string;
  issue_date: string;
  due_date: string;
  supply_date: string;
  payment_method: '' | Resource<'PaymentMethod'>;
  /** Where it is issued; '' and absent, as in forms that were kept before: the issuer's first. */
  unit?: string;
  device?: string;
  exchange_rate: string;
  notes: string;
  discounts: AdjustmentValues[];
  charges: AdjustmentValues[];
}

/** What the form holds: texts as they are typed. */
export interface FormValues {
  head: Head;
  lines: LineValues[];
}

export const MOST_LINES = 500;

export const emptyLine = (key: number): LineValues => ({
  ...{ key, product_id: null, description: '', quantity: '1', unit: '', unit_price: '', taxes: null },
  ...{ discounts: [], charges: [] },
});

type Issuer = Pick<Resource<'Issuer'>, 'currency' | 'prices_include_tax' | 'rounding'>;

/** An empty form. `issuer`: whose defaults it begins with. */
export const emptyForm = (issuer: Issuer, customer: Head['customer'] = null): FormValues => ({
  head: {
    ...{ type: 'standard', corrects: null, customer, series: '', issue_date: '', due_date: '', supply_date: '', payment_method: '' },
    ...{ currency: issuer.currency, prices_include_tax: issuer.prices_include_tax, rounding: issuer.rounding as Resource<'Rounding'> },
    ...{ exchange_rate: '', notes: '', discounts: [], charges: [] },
  },
  lines: [emptyLine(0)],
});

/** A line of which nothing was filled: it is not sent. */
export const isEmpty = ({ product_id: product, description, unit_price: price, quantity }: LineValues): boolean =>
  product === null && description.trim() === '' && price.trim() === '' && (quantity.trim() === '' || quantity.trim() === '1');

export const filledLines = ({ lines }: FormValues): LineValues[] => lines.filter((line) => !isEmpty(line));

const adjustmentValues = ({ percent, amount, reason, taxes }: Resource<'Adjustment'>): AdjustmentValues => {
  const isPercent = percent !== null && percent !== undefined;
  return {
    ...{ kind: isPercent ? 'percent' : 'amount', value: (isPercent ? percent : amount) ?? '', reason: reason ?? '' },
    taxes: taxes?.map((tax) => taxOf(taxValues(tax))) ?? null,
  };
};

const lineValues = (item: Resource<'Item'>, key: number): LineValues => ({
  ...{ key, product_id: item.product_id, description: item.description ?? '', quantity: item.quantity, unit: item.unit },
  ...{ unit_price: item.unit_price, taxes: item.taxes.map(taxValues) },
  ...{ discounts: item.discounts.map(adjustmentValues), charges: item.charges.map(adjustmentValues) },
});

/** The form of an invoice as it is. */
export const valuesOf = (invoice: Invoice): FormValues => ({
  head: {
    ...{ type: invoice.type as Head['type'], corrects: invoice.corrects, currency: invoice.currency, series: invoice.series },
    customer: { id: invoice.customer_id, name: customerName(invoice) ?? '' },
    ...{ prices_include_tax: invoice.prices_include_tax, rounding: invoice.rounding as Resource<'Rounding'> },
    ...{ issue_date: invoice.issue_date ?? '', due_date: invoice.due_date ?? '', supply_date: invoice.supply_date ?? '' },
    ...{ payment_method: (invoice.payment_method ?? '') as Head['payment_method'], exchange_rate: invoice.exchange_rate ?? '' },
    ...{ unit: invoice.unit ?? '', device: invoice.device ?? '' },
    ...{ notes: invoice.notes ?? '', discounts: invoice.discounts.map(adjustmentValues), charges: invoice.charges.map(adjustmentValues) },
  },
  lines: invoice.items.map(lineValues),
});

/** A new invoice with the customer and the lines of another one. Dates belong to that one alone. */
export function copyOf(invoice: Invoice): FormValues {
  const { head, lines } = valuesOf(invoice);
  return { head: { ...head, type: 'standard', corrects: null, issue_date: '', due_date: '', supply_date: '', exchange_rate: '' }, lines };
}

/** A corrective invoice of another one: its customer and currency, and a line for the difference. */
export function correctiveOf(invoice: Invoice): FormValues {
  const { head } = copyOf(invoice);
  return { head: { ...head, type: 'corrective', corrects: invoice.id, series: '', discounts: [], charges: [] }, lines: [emptyLine(0)] };
}

const orNull = (text: string): string | null => text.trim() || null;

const adjustmentOf = ({ kind, value, reason, taxes }: AdjustmentValues): Resource<'AdjustmentInput'> => ({
  [kind]: readDecimal(value),
  ...(reason.trim() && { reason: reason.trim() }),
  ...(taxes && { taxes }),
});

function itemOf(line: LineValues): Resource<'ItemInput'> {
  const unit = line.unit.trim();
  return {
    ...(line.product_id !== null && { product_id: line.product_id }),
    ...(line.description.trim() && { description: line.description.trim() }),
    ...(line.quantity.trim() && { quantity: readDecimal(line.quantity) }),
    ...(unit && { unit }),
    ...(line.unit_price.trim() && { unit_price: readDecimal(line.unit_price) }),
    ...(line.taxes && { taxes: line.taxes.map(taxOf) }),
    ...{ discounts: line.discounts.map(adjustmentOf), charges: line.charges.map(adjustmentOf) },
  };
}

/** What is sent of a form. What has no value is null where an invoice may have none, and else absent. */
export type Body = Omit<Resource<'CreateInvoice'>, 'customer_id' | 'metadata'> & { customer_id?: string };

export function bodyOf(values: FormValues): Body {
  const { head } = values;
  const [currency, series] = [head.currency.trim(), head.series.trim()];
  return {
    ...(head.type !== 'standard' && { type: head.type, corrects: head.corrects }),
    ...(head.customer && { customer_id: head.customer.id }),
    ...(currency && { currency }),
    ...(series && { series }),
    ...{ prices_include_tax: head.prices_include_tax, rounding: head.rounding },
    ...{ issue_date: orNull(head.issue_date), due_date: orNull(head.due_date), supply_date: orNull(head.supply_date) },
    ...{ payment_method: head.payment_method || null, exchange_rate: orNull(readDecimal(head.exchange_rate)), notes: orNull(head.notes) },
    ...(head.unit && { unit: head.unit, device: head.device || null }),
    ...{ discounts: head.discounts.map(adjustmentOf), charges: head.charges.map(adjustmentOf) },
    items: filledLines(values).map(itemOf),
  };
}
