import type { AdjustmentInput } from '@svc/contracts/document/line';
import type { InvoiceResource } from '@svc/contracts/invoice/resource';
import { currencyDecimals, decimal, numberText, percentOf, quotient, round, sameJson, sum, toText, ZERO, type Decimal } from '@svc/kernel';
import { documentAdjustmentsOf, exactText, itemsOf } from '@svc/totals/line';
import type { DocumentAdjustment, TaxRow, Terms } from '@svc/totals/terms';
import { totalsOf } from '@svc/totals/totals';
import { negatedResource } from './negated.ts';
import { notRepresentable } from './not-representable.ts';
import { rowVat, vatOf, type Vat } from './vat.ts';

/** Without tax: amounts of the currency, the price at up to eight decimals. */
export interface UblLine {
  amount: Decimal;
  allowance: Decimal;
  charge: Decimal;
  price: string;
  vat: Vat;
}

/** Of the VAT breakdown: `base` is what the lines amount to, less `allowance`, plus `charge`. */
export interface Group {
  vat: Vat;
  hasLines: boolean;
  lines: Decimal;
  allowance: Decimal;
  charge: Decimal;
  base: Decimal;
  tax: Decimal;
  allowanceReason: string;
  chargeReason: string;
  /** Why it is exempt. */
  reasons: Set<string>;
}

/** The reason of a discount or charge of the document, and the group that it belongs to where it belongs to one. */
interface Named {
  reason: string | undefined;
  key: string | undefined;
}

export interface UblAmounts {
  lines: UblLine[];
  groups: Group[];
}

const HUNDRED = decimal('100');
const PRICE_DECIMALS = 8;

/**
 * The amounts of a document in the terms of EN 16931, see `amountsAsWritten`. The corrective of a void is the exact negative of a document, also where
 * cents that are left over were given to other lines than of a document that is calculated with these signs.
 */
export function amountsOf(invoice: InvoiceResource): UblAmounts {
  if (typeof invoice.voids !== 'string') return amountsAsWritten(invoice);
  const { lines, groups } = amountsAsWritten(negatedResource(invoice));
  return {
    lines: lines.map((line) => ({ ...line, ...opposite(line, ['amount', 'allowance', 'charge']) })),
    groups: groups.map((group) => ({ ...group, ...opposite(group, ['lines', 'allowance', 'charge', 'base', 'tax']) })),
  };
}

const opposite = <Field extends string>(of: Record<Field, Decimal>, fields: readonly Field[]): Record<Field, Decimal> =>
  Object.fromEntries(fields.map((field) => [field, ZERO.minus(of[field])])) as Record<Field, Decimal>;

/**
 * The amounts of a document: all without tax, discounts and charges of the document by VAT category. They add up as BR-CO-10
 * to BR-CO-15 and BR-*-08 ask; throws not_representable where they would not. Linear in the lines.
 */
function amountsAsWritten(invoice: InvoiceResource): UblAmounts {
  const terms = termsOf(invoice);
  const groups = new Map<string, Group>();
  const groupOf = (vat: Vat): Group => {
    const group = groups.get(vat.key) ?? emptyGroup(vat);
    groups.set(vat.key, group);
    if (vat.reason) group.reasons.add(vat.reason);
    return group;
  };
  const lines = terms.items.map((item, n) => {
    const line = lineOf(invoice, n, vatOf(item.taxes, `items.${n}.taxes`), terms);
    const group = groupOf(line.vat);
    group.hasLines = true;
    group.lines = group.lines.plus(line.amount);
    return line;
  });
  const named = (list: DocumentAdjustment[], field: string): Named[] =>
    list.map(({ reason, taxes }, n) => ({ reason, key: taxes && groupOf(vatOf(taxes, `${field}.${n}.taxes`)).vat.key }));
  const [discounts, charges] = [named(terms.discounts, 'discounts'), named(terms.charges, 'charges')];
  const all = [...groups.values()];
  if (groups.size > 1 && all.some(({ vat }) => vat.code === 'O'))
    throw notRepresentable('items', 'have lines with VAT beside others that are not subject to it: make two documents of them.');
  state(all, invoice, terms);
  for (const group of all) {
    const ofGroup = ({ key = group.vat.key }: Named): boolean => key === group.vat.key;
    group.allowanceReason = reasonsOf(discounts.filter(ofGroup), 'Discount');
    group.chargeReason = reasonsOf(charges.filter(ofGroup), 'Charge');
  }
  return { lines, groups: all.filter(({ hasLines, allowance, charge }) => hasLines || !allowance.eq(ZERO) || !charge.eq(ZERO)) };
}

const emptyGroup = (vat: Vat): Group => ({
  vat,
  hasLines: false,
  lines: ZERO,
  allowance: ZERO,
  charge: ZERO,
  base: ZERO,
  tax: ZERO,
  allowanceReason: '',
  chargeReason: '',
  reasons: new Set(),
});

/** Of the resource's numbers. `taxes` of every line are stated, so no default rate is used. */
function termsOf({ items, discounts, charges, currency, rounding, prices_include_tax }: InvoiceResource): Terms {
  const given = items.map(({ discounts, charges, ...item }) => ({ ...item, discounts: stated(discounts), charges: stated(charges) }));
  return {
    decimals: currencyDecimals(currency) ?? 2,
    rounding,
    prices_include_tax,
    items: itemsOf(given, '0'),
    discounts: documentAdjustmentsOf(stated(discounts)),
    charges: documentAdjustmentsOf(stated(charges)),
  };
}

/** The resource's class allows null where the terms omit. */
const stated = (list: InvoiceResource['discounts']): AdjustmentInput[] =>
  list.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)));

function lineOf({ items }: InvoiceResource, n: number, vat: Vat, { items: terms, prices_include_tax, decimals }: Terms): UblLine {
  const { amount: net, discount_amount, charge_amount } = items[n] ?? { amount: 0, discount_amount: 0, charge_amount: 0 };
  const { quantity, unit_price } = terms[n] ?? { quantity: '1', unit_price: '0' };
  const amount = exact(net);
  if (!prices_include_tax) return { amount, allowance: exact(discount_amount), charge: exact(charge_amount), price: unit_price, vat };
  const divisor = HUNDRED.plus(vat.included);
  const without = (gross: Decimal): Decimal => quotient(gross.times(HUNDRED), divisor, decimals);
  const [allowance, charge] = [without(exact(discount_amount)), without(exact(charge_amount))];
  const price = quotient(amount.plus(allowance).minus(charge), decimal(quantity), PRICE_DECIMALS); // so that quantity × price leads to the amount
  return { amount, allowance, charge, price: price.cmp(ZERO) < 0 ? '0' : toText(price), vat }; // BR-27; a cent of rounding can be below 0
}

const exact = (number: number): Decimal => decimal(numberText(number));

/** Fills in the groups from the breakdown as it was issued. Throws not_representable if they do not add up. */
function state(groups: Group[], invoice: InvoiceResource, terms: Terms): void {
  const stated = invoice.tax_breakdown.map(({ category, code, rate, retained, base, amount, surcharge }) => ({
    ...{ category, code, rate: exactText(rate), retained, base: numberText(base), amount: numberText(amount) },
    ...(surcharge && { surcharge: { rate: exactText(surcharge.rate), amount: numberText(surcharge.amount) } }),
  }));
  const subtotal = exact(invoice.subtotal);
  const { discounts, charges } = terms;
  const issued = basesOf(stated, subtotal);
  const basesWith = (adjustments: Pick<Terms, 'discounts' | 'charges'>): Map<string, Decimal> => {
    const totals = totalsOf({ ...terms, ...adjustments });
    return basesOf(totals.tax_breakdown, decimal(totals.subtotal));
  };
  const ofLines = discounts.length + charges.length > 0 ? basesWith({ discounts: [], charges: [] }) : issued;
  const discounted = discounts.length === 0 ? ofLines : charges.length === 0 ? issued : basesWith({ discounts, charges: [] });
  const taxes = taxesOf(stated);
  if (invoice.corrects === null || sameJson(totalsOf(terms).tax_breakdown, stated)) checkSurcharges(stated, terms.decimals);
  for (const group of groups) {
    const { key } = group.vat;
    const at = (bases: Map<string, Decimal>): Decimal => bases.get(key) ?? ZERO;
    group.base = at(issued);
    group.tax = taxes.get(key) ?? ZERO;
    group.allowance = at(ofLines).minus(at(discounted));
    group.charge = at(issued).minus(at(discounted));
    if (!group.lines.eq(at(ofLines))) throw doesNotAddUp(terms);
  }
  checkSums(groups, invoice, terms);
}

/** The base of each VAT category. Where no line bears VAT there is one, outside its scope, of the whole document. */
function basesOf(rows: readonly TaxRow[], subtotal: Decimal): Map<string, Decimal> {
  const bases = new Map<string, Decimal>();
  for (const row of vatRows(rows)) {
    const { key } = rowVat(row);
    bases.set(key, (bases.get(key) ?? ZERO).plus(row.base));
  }
  return bases.size === 0 || bases.has('O 0') ? new Map([['O 0', subtotal]]) : bases;
}

const vatRows = (rows: readonly TaxRow[]): TaxRow[] => rows.filter(({ category, retained }) => category === 'VAT' && !retained);

const withSurcharge = ({ amount, surcharge }: TaxRow): Decimal => decimal(amount).plus(surcharge?.amount ?? '0');

/** The tax of each VAT category. A surcharge is stated in one rate with its tax. */
function taxesOf(rows: readonly TaxRow[]): Map<string, Decimal> {
  const taxes = new Map<string, Decimal>();
  for (const row of vatRows(rows)) {
    const { key } = rowVat(row);
    taxes.set(key, (taxes.get(key) ?? ZERO).plus(withSurcharge(row)));
  }
  return taxes;
}

/** Throws not_representable if a surcharge and its tax together are another amount than both rates. What is left of an invoice may differ (BR-CO-17). */
function checkSurcharges(rows: readonly TaxRow[], decimals: number): void {
  for (const row of vatRows(rows)) {
    const { rate, surcharged } = rowVat(row);
    if (surcharged && !withSurcharge(row).eq(round(percentOf(decimal(row.base), decimal(rate)), decimals)))
      throw notRepresentable(
        'tax_breakdown',
        `has a surcharge that with its tax is not ${rate} % of the base: they are rounded separately.`,
      );
  }
}

/** BR-CO-13 to BR-CO-15 and BR-CO-17, and that discounts and charges without tax are those that the document states. */
function checkSums(groups: Group[], invoice: InvoiceResource, terms: Terms): void {
  const total = (of: (group: Group) => Decimal): Decimal => sum(groups.map(of));
  const [subtotal, tax] = [exact(invoice.subtotal), exact(invoice.tax_total)];
  const sums =
    total(({ base }) => base).eq(subtotal) &&
    total((group) => group.tax).eq(tax) &&
    subtotal.plus(tax).eq(exact(invoice.total)) &&
    groups.every(({ base, tax: amount, vat }) => isNear(amount, percentOf(base, decimal(vat.rate))));
  const adjustments =
    terms.prices_include_tax ||
    (total(({ allowance }) => allowance).eq(exact(invoice.discount_total)) &&
      total(({ charge }) => charge).eq(exact(invoice.charge_total)));
  if (!sums || !adjustments) throw doesNotAddUp(terms);
}

/** The published rules allow a difference of less than one (BR-CO-17): the tax of inclusive prices is rounded in another way. */
const isNear = (one: Decimal, other: Decimal): boolean => one.minus(other).cmp('1') < 0 && other.minus(one).cmp('1') < 0;

const doesNotAddUp = ({ rounding }: Terms) =>
  rounding === 'precise'
    ? notRepresentable('rounding', 'is precise, and the rounded amounts do not add up: use rounding line.')
    : notRepresentable('tax_breakdown', 'does not add up with the lines, discounts and charges.');

/** Reasons of discounts or charges, each once; `otherwise` where none is given. */
export const reasonsOf = (list: readonly { reason?: string | null | undefined }[], otherwise: string): string =>
  [...new Set(list.flatMap(({ reason }) => reason || []))].join('; ') || otherwise;
