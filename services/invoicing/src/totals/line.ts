import { decimal, percentOf, round, ZERO, type Decimal } from '@svc/kernel';
import type { Adjustment, LineTerms, Terms } from './terms.ts';

export type Rounding = (value: Decimal) => Decimal;

/** What `rounding` says: R at the currency's decimals, or nothing. */
export const roundingOf = ({ rounding, decimals }: Pick<Terms, 'rounding' | 'decimals'>): Rounding =>
  rounding === 'line' ? (value) => round(value, decimals) : (value) => value;

/** What a discount or charge comes to; `base`: what its percentage is of. */
export const adjustmentAmount = ({ percent, amount }: Adjustment, base: Decimal, rounded: Rounding): Decimal =>
  rounded(percent === undefined ? decimal(amount ?? '0') : percentOf(base, decimal(percent)));

export interface Line {
  net: Decimal;
  discount: Decimal;
  charge: Decimal;
}

/** gross = quantity × unit_price; net = gross − discounts + charges, every percentage of gross. */
export function lineOf({ quantity, unit_price, discounts, charges }: LineTerms, rounded: Rounding): Line {
  const price = decimal(unit_price);
  const gross = rounded(quantity === '1' ? price : price.times(quantity));
  const discount = adjustments(discounts, gross, rounded);
  const charge = adjustments(charges, gross, rounded);
  const net = discount === ZERO && charge === ZERO ? gross : gross.minus(discount).plus(charge);
  return { net, discount, charge };
}

const adjustments = (list: Adjustment[], gross: Decimal, rounded: Rounding): Decimal =>
  list.reduce((sum, one) => sum.plus(adjustmentAmount(one, gross, rounded)), ZERO);
