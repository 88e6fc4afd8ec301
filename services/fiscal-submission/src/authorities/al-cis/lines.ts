import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { currencyDecimals, decimal, numberText, round, sharing, sum, ZERO, type Decimal } from '@svc/kernel';

type Document = RegistrationRequested['document'];
type Item = Document['items'][number];
type Tax = Item['taxes'][number];

/** An item with its share of what the document takes off or adds, in the country's currency. */
export interface Line {
  item: Item;
  /** Its VAT; undefined: it is not subject to it. */
  tax: Tax | undefined;
  net: Decimal;
  vat: Decimal;
}

/** An amount with two decimals. */
export const money = (amount: Decimal): string => {
  const [whole = '0', part = ''] = String(amount).split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
};

/** The VAT of an item: at most one of its taxes. Taxes that the buyer withholds are not sent. */
const vatOf = ({ taxes }: Item): Tax | undefined => taxes.find(({ category, retained }) => category === 'VAT' && !retained);
const groupOf = (tax: { code: string; rate: number } | undefined): string =>
  tax ? `${tax.code} ${decimal(numberText(tax.rate))}` : 'none';
const amountOf = (amount: number): Decimal => decimal(numberText(amount));

/**
 * The lines of a document: net and VAT of each tax group are shared over its lines in proportion to their amounts, so that they add up to the document's, and
 * then converted.
 * @param factor the country's currency per unit of the document's currency; negative where the document takes back
 */
export function linesOf(document: Document, factor: Decimal): Line[] {
  const places = currencyDecimals(document.currency) ?? 2;
  const rows = document.tax_breakdown.filter(({ category, retained }) => category === 'VAT' && !retained);
  const taxed = sum(rows.map(({ base }) => amountOf(base)));
  const untaxed = { base: amountOf(document.subtotal).minus(taxed), amount: ZERO };
  const byGroup = Map.groupBy(document.items, (item) => groupOf(vatOf(item)));
  const shared = new Map<Item, Pick<Line, 'net' | 'vat'>>();
  for (const [group, items] of byGroup) {
    const row = rows.find((one) => groupOf(one) === group);
    const { base, amount } = row ? { base: amountOf(row.base), amount: amountOf(row.amount) } : untaxed;
    const nets = sharing(
      items.map((item) => amountOf(item.amount)),
      places,
    )(base);
    const vats = sharing(nets, places)(amount);
    const converted = (value: Decimal | undefined): Decimal => round((value ?? ZERO).times(factor), 2);
    items.forEach((item, n) => shared.set(item, { net: converted(nets[n]), vat: converted(vats[n]) }));
  }
  return document.items.map((item) => ({ item, tax: vatOf(item), net: ZERO, vat: ZERO, ...shared.get(item) }));
}
