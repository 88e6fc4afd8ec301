import BigJs from 'big.js';

/** Exact decimals: products, sums and differences are never rounded; floats are refused (strict). Division is not used: `percentOf` shifts. */
export const Decimal = BigJs();
Decimal.strict = true;
Decimal.RM = 1; // half away from zero
Decimal.NE = -30; // never print an exponent
Decimal.PE = 30;
export type Decimal = InstanceType<typeof Decimal>;

/** From a decimal string or an integer. */
export const decimal = (value: string | Decimal): Decimal => (typeof value === 'string' ? new Decimal(value) : value);
export const ZERO = new Decimal('0');

/** Half away from zero at `places` decimals. */
export const round = (value: Decimal, places: number): Decimal => value.round(places, 1);

const HUNDREDTH = new Decimal('0.01');
/** `percent` per cent of `amount`, exact. */
export const percentOf = (amount: Decimal, percent: Decimal): Decimal => amount.times(percent).times(HUNDREDTH);

export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

/** Plain decimal text without exponent or trailing zeros: `12.3`. */
export const toText = (value: Decimal): string => value.toFixed();
