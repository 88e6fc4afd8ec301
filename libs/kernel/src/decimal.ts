import BigJs from 'big.js';

/**
 * Exact decimals. Products, sums and differences are never rounded. Strict: a float throws. Divide with `quotient` only, which rounds once;
 * `percentOf` multiplies by 0.01.
 */
export const Decimal = BigJs();
Decimal.strict = true;
Decimal.RM = 1; // half away from zero
Decimal.NE = -30; // never print an exponent
Decimal.PE = 30;
export type Decimal = InstanceType<typeof Decimal>;

/** From a decimal string or an integer. */
export const decimal = (value: string | Decimal): Decimal => (typeof value === 'string' ? new Decimal(value) : value);
export const ZERO = new Decimal('0');
export const ONE = new Decimal('1');

/** Rounds half away from zero at `places` decimals. */
export const round = (value: Decimal, places: number): Decimal => value.round(places, 1);

const HUNDREDTH = new Decimal('0.01');
/** `percent` per cent of `amount`, not rounded. */
export const percentOf = (amount: Decimal, percent: Decimal): Decimal => amount.times(percent).times(HUNDREDTH);

export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

/** Decimal text without an exponent or trailing zeros: `12.3`. May be `-0`. */
export const toText = (value: Decimal): string => value.toFixed();
/** As `toText`, but `0` for a negative zero. */
export const plain = (value: Decimal): string => (value.eq(ZERO) ? '0' : toText(value));

/** Number of decimals of the value. */
const decimalsOf = (value: Decimal): number => Math.max(0, value.c.length - 1 - value.e);
/** `value` in units of 10^-places. It must not have more decimals than that. */
const units = (value: Decimal, places: number): bigint => BigInt(value.toFixed(places).replace('.', ''));
const ofUnits = (count: bigint, places: number): Decimal => new Decimal(`${count}e-${places}`);
const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** `n / d`, rounded once, half away from zero at `places` decimals. Computed in integers, so the result is exact for every fraction. */
export function quotient(n: Decimal, d: Decimal, places: number): Decimal {
  if (d === ONE) return round(n, places);
  const scale = Math.max(decimalsOf(n), decimalsOf(d));
  const above = units(n, scale) * 10n ** BigInt(places);
  const below = units(d, scale);
  const rounded = (2n * size(above) + size(below)) / (2n * size(below));
  return ofUnits(above < 0n === below < 0n ? rounded : -rounded, places);
}

/**
 * Divides `whole`, which has `places` decimals, in proportion to `weights`; the parts add up to `whole` (largest remainder method).
 * Each part is rounded down, then the largest remainders get one unit of 10^-places each, ties in the order of `weights`. If the weights
 * add up to zero, the first part is `whole`.
 */
export function shareOut(whole: Decimal, weights: Decimal[], places: number): Decimal[] {
  if (weights.length === 1) return [whole];
  const scale = Math.max(...weights.map(decimalsOf));
  const exact = weights.map((weight) => units(weight, scale));
  const sum = exact.reduce((a, b) => a + b, 0n);
  if (sum === 0n) return weights.map((_, n) => (n === 0 ? whole : ZERO));
  const count = units(whole, places);
  const floored = exact.map((weight, n) => ({ n, ...floorDivide(count * weight, sum) }));
  let left = count - floored.reduce((a, { quotient: part }) => a + part, 0n);
  const parts = floored.map(({ quotient: part }) => part);
  for (const { n, rest } of floored.toSorted((a, b) => (a.rest === b.rest ? a.n - b.n : a.rest > b.rest ? -1 : 1))) {
    if (left <= 0n || rest === 0n) break;
    parts[n] = (parts[n] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts.map((part) => ofUnits(part, places));
}

/** Rounds towards minus infinity; `rest` is never negative. */
function floorDivide(n: bigint, d: bigint): { quotient: bigint; rest: bigint } {
  const [above, below] = d < 0n ? [-n, -d] : [n, d];
  const towardsZero = above / below;
  const rest = above - towardsZero * below;
  return rest < 0n ? { quotient: towardsZero - 1n, rest: rest + below } : { quotient: towardsZero, rest };
}

/** Minor units by ISO 4217 (list one, active codes of 2025). Not taken from `Intl`: V8 has 0 for ALL, HUF and COP, ISO has 2. */
const byDecimals: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC
    CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
    PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
    UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const decimals = new Map(
  Object.entries(byDecimals).flatMap(([places, codes]) => codes.split(/\s+/).map((code) => [code, Number(places)] as const)),
);

/** Number of decimals of the currency's minor unit; undefined for a code that ISO 4217 does not list. */
export const currencyDecimals = (code: string): number | undefined => decimals.get(code);
export const currencies: readonly string[] = [...decimals.keys()].sort();
