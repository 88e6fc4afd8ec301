import type { AdjustmentInput, ItemInput } from '@svc/contracts/document/line';
import type { MoneyInput } from '@svc/contracts/schema/decorators/index';
import type { TaxInput } from '@svc/contracts/tax';
import { decimal, numberText, percentOf, round, toText, ZERO, type Decimal, type Details } from '@svc/kernel';
import type { OnStep } from './steps.ts';
import type { Adjustment, DocumentAdjustment, LineTerms, Tax, Terms } from './terms.ts';

/** A line as it is stored. */
export interface Item extends LineTerms {
  product_id: string | null;
  /** Needed for submission, not for a draft. */
  description: string | null;
  /** UN/ECE recommendation 20. */
  unit: string;
}

const CANONICAL = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

/** The canonical decimal text of a number or string: `12.30` is `12.3`. */
export function exactText(given: MoneyInput): string {
  const text = numberText(given);
  return CANONICAL.test(text) ? text : toText(decimal(text));
}

/** Lines with every default filled in; what products give is filled in before. `defaultRate`: the issuer's, percent, for lines without tax fields. */
export const itemsOf = (given: readonly ItemInput[], defaultRate: string): Item[] => given.map((item) => itemOf(item, defaultRate));

function itemOf(
  { product_id, description, quantity, unit, unit_price, discounts, charges, taxes, tax_rate }: ItemInput,
  defaultRate: string,
): Item {
  return {
    product_id: product_id ?? null,
    description: description ?? null,
    quantity: exactText(quantity ?? 1),
    unit: unit ?? 'C62',
    unit_price: exactText(unit_price ?? 0),
    discounts: discounts?.map(adjustmentOf) ?? [],
    charges: charges?.map(adjustmentOf) ?? [],
    taxes: taxes?.map(taxOf) ?? [taxOf({ rate: tax_rate ?? defaultRate })],
  };
}

export const documentAdjustmentsOf = (given: readonly AdjustmentInput[] | null | undefined): DocumentAdjustment[] =>
  (given ?? []).map((one) => (one.taxes ? { ...adjustmentOf(one), taxes: one.taxes.map(taxOf) } : adjustmentOf(one)));

function adjustmentOf({ percent, amount, reason }: AdjustmentInput): Adjustment {
  const adjustment: Adjustment = percent === undefined ? {} : { percent: exactText(percent) };
  if (amount !== undefined) adjustment.amount = exactText(amount);
  if (typeof reason === 'string') adjustment.reason = reason;
  return adjustment;
}

/** Without a code: zero rated where the rate is 0, else standard. */
export function taxOf({ category = 'VAT', rate, code, retained = false, exemption_reason, exemption_code, surcharge }: TaxInput): Tax {
  const percent = exactText(rate);
  const tax: Tax = { category, rate: percent, code: code ?? (percent === '0' ? 'Z' : 'S'), retained };
  if (typeof exemption_reason === 'string') tax.exemption_reason = exemption_reason;
  if (typeof exemption_code === 'string') tax.exemption_code = exemption_code;
  if (surcharge !== undefined && surcharge !== null) tax.surcharge = exactText(surcharge);
  return tax;
}

/** Problems of the lines as they were sent, whatever the document. Linear in their number. */
export function itemProblems(items: readonly ItemInput[]): Details {
  const problems: Details = {};
  const check = (list: readonly AdjustmentInput[] | null | undefined, n: number, field: string): void =>
    list?.forEach(({ taxes }, at) => {
      if (taxes) problems[`items.${n}.${field}.${at}.taxes`] = ['are those of the line: leave them out.'];
    });
  items.forEach(({ unit_price, discounts, charges }, n) => {
    if (unit_price === undefined) problems[`items.${n}.unit_price`] = ['is required'];
    check(discounts, n, 'discounts');
    check(charges, n, 'charges');
  });
  return problems;
}

export type Rounding = (value: Decimal) => Decimal;

/** The rounding of `rounding`: R at the currency's decimals, or none. */
export const roundingOf = ({ rounding, decimals }: Pick<Terms, 'rounding' | 'decimals'>): Rounding =>
  rounding === 'line' ? (value) => round(value, decimals) : (value) => value;

/** The amount of a discount or charge; `base`: what its percentage applies to. */
export const adjustmentAmount = ({ percent, amount }: Adjustment, base: Decimal, rounded: Rounding): Decimal =>
  rounded(percent === undefined ? decimal(amount ?? '0') : percentOf(base, decimal(percent)));

export interface Line {
  net: Decimal;
  discount: Decimal;
  charge: Decimal;
}

/** gross = quantity × unit_price; net = gross − discounts + charges, every percentage of gross. `n`: the line's, for `onStep`. */
export function lineOf({ quantity, unit_price, discounts, charges }: LineTerms, rounded: Rounding, n: number, onStep?: OnStep): Line {
  const price = decimal(unit_price);
  const gross = rounded(price.times(quantity));
  onStep?.({ step: 'gross', field: `items.${n}`, calculation: () => `${quantity} × ${unit_price}`, result: gross });
  const adjustments = (list: Adjustment[], step: 'line_discount' | 'line_charge', field: string): Decimal =>
    list.reduce((sum, one, at) => {
      const amount = adjustmentAmount(one, gross, rounded);
      if (one.percent !== undefined)
        onStep?.({ step, field: `items.${n}.${field}.${at}`, calculation: () => `${one.percent} % of ${gross}`, result: amount });
      return sum.plus(amount);
    }, ZERO);
  const discount = adjustments(discounts, 'line_discount', 'discounts');
  const charge = adjustments(charges, 'line_charge', 'charges');
  return { net: gross.minus(discount).plus(charge), discount, charge };
}
