import { add, divide, integer, magnitude, multiply, powerOfTen, subtract, type Integer } from './integer.ts';
import { sharesOf } from './largest-remainder.ts';

/**
 * An exact decimal, `units` × 10^-`scale`. Products, sums and differences are never rounded. Strict: a float throws. Divide with `quotient`
 * only, which rounds once.
 */
export class Decimal {
  constructor(
    readonly units: Integer,
    /** Not negative. May be more than the value needs: 1.50. */
    readonly scale: number,
  ) {}

  plus(other: string | Decimal): Decimal {
    const more = decimal(other);
    const scale = Math.max(this.scale, more.scale);
    return new Decimal(add(unitsAt(this, scale), unitsAt(more, scale)), scale);
  }

  minus(other: string | Decimal): Decimal {
    const less = decimal(other);
    const scale = Math.max(this.scale, less.scale);
    return new Decimal(subtract(unitsAt(this, scale), unitsAt(less, scale)), scale);
  }

  times(other: string | Decimal): Decimal {
    const { units, scale } = decimal(other);
    return new Decimal(multiply(this.units, units), this.scale + scale);
  }

  /** -1, 0 or 1: this is less than, equal to or greater than the other. */
  cmp(other: string | Decimal): -1 | 0 | 1 {
    const { units } = this.minus(other);
    return units < 0 ? -1 : units > 0 ? 1 : 0;
  }

  eq(other: string | Decimal): boolean {
    return this.cmp(other) === 0;
  }

  lte(other: string | Decimal): boolean {
    return this.cmp(other) <= 0;
  }

  /** Without an exponent or trailing zeros: `12.3`. */
  toString(): string {
    const { units, scale } = this;
    if (scale === 0) return String(units);
    const digits = String(magnitude(units)).padStart(scale + 1, '0');
    const point = digits.length - scale;
    let end = digits.length;
    while (end > point && digits[end - 1] === '0') end -= 1;
    const text = end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
    return units < 0 ? `-${text}` : text;
  }

  toJSON(): string {
    return this.toString();
  }

  /** Operators such as `a < b` throw: they would compare texts. */
  valueOf(): never {
    throw new TypeError('Use plus, minus, times and cmp: decimals have no operators.');
  }
}

const NUMERIC = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** From a decimal string, with or without an exponent. Throws for any other value. */
export function decimal(value: string | Decimal): Decimal {
  if (value instanceof Decimal) return value;
  if (typeof value !== 'string') throw new TypeError(`A decimal is made from text, not from ${typeof value}.`);
  const short = shortDecimal(value);
  if (short) return short;
  const [, whole, part = '', exponent = '0'] = NUMERIC.exec(value) ?? [];
  if (whole === undefined) throw new TypeError(`Not a decimal: ${value}`);
  const scale = part.length - Number(exponent);
  const units = integer(BigInt(whole + part));
  return scale >= 0 ? new Decimal(units, scale) : new Decimal(multiply(units, powerOfTen(-scale)), 0);
}

const [MINUS, POINT, NIL, NINE] = [0x2d, 0x2e, 0x30, 0x39];

/** Of a text of at most 15 characters without an exponent; undefined for another. Nearly every text is one, and this is three times as fast. */
function shortDecimal(text: string): Decimal | undefined {
  const { length } = text;
  if (length > 15) return undefined;
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  let point = length;
  let units = 0;
  for (let at = first; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= NIL && code <= NINE) units = units * 10 + code - NIL;
    else if (code === POINT && point === length) point = at;
    else return undefined;
  }
  if (point === first || point === length - 1) return undefined; // no digit before the point, or none after it
  return new Decimal(first === 0 ? units : 0 - units, point === length ? 0 : length - point - 1);
}

export const ZERO = decimal('0');
export const ONE = decimal('1');

/** `value` in units of 10^-scale, which is at least its own. */
const unitsAt = ({ units, scale: own }: Decimal, scale: number): Integer =>
  own === scale ? units : multiply(units, powerOfTen(scale - own));

/** Rounds half away from zero at `places` decimals. */
export const round = (value: Decimal, places: number): Decimal =>
  value.scale <= places ? value : new Decimal(halfAway(value.units, powerOfTen(value.scale - places)), places);

/** `percent` per cent of `amount`, not rounded. */
export function percentOf(amount: Decimal, percent: Decimal): Decimal {
  const { units, scale } = amount.times(percent);
  return new Decimal(units, scale + 2);
}

export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

/** Decimal text without an exponent or trailing zeros: `12.3`. */
export const toText = (value: Decimal): string => value.toString();

/** Decimal text with the other sign. */
export const minus = (amount: string): string => toText(ZERO.minus(decimal(amount)));

/** `n / d`, rounded once, half away from zero at `places` decimals. Computed in integers, so the result is exact for every fraction. */
export function quotient(n: Decimal, d: Decimal, places: number): Decimal {
  const shift = d.scale - n.scale + places;
  const above = multiply(n.units, powerOfTen(Math.max(0, shift)));
  const below = multiply(d.units, powerOfTen(Math.max(0, -shift)));
  return new Decimal(halfAway(above, below), places);
}

/** `n / d`, rounded half away from zero. */
function halfAway(n: Integer, d: Integer): Integer {
  const twice = multiply(2, magnitude(d));
  const size = divide(add(multiply(2, magnitude(n)), magnitude(d)), twice);
  return n < 0 === d < 0 ? size : subtract(0, size);
}

/**
 * Divides each given whole, which has `places` decimals, in proportion to `weights`; the parts add up to the whole (largest remainder
 * method). Each part is rounded down, then the largest remainders get one unit of 10^-places each, ties in the order of `weights`. If the
 * weights add up to zero, the first part is the whole.
 */
export function sharing(weights: Decimal[], places: number): (whole: Decimal) => Decimal[] {
  if (weights.length === 1) return (whole) => [whole];
  const scale = weights.reduce((most, weight) => Math.max(most, weight.scale), 0);
  const units = weights.map((weight) => unitsAt(weight, scale));
  const total = units.reduce(add, 0);
  if (total === 0) return (whole) => weights.map((_, n) => (n === 0 ? whole : ZERO));
  const positive = total < 0 ? units.map((weight) => subtract(0, weight)) : units;
  const share = sharesOf(positive, magnitude(total));
  return (whole) => share(unitsAt(round(whole, places), places)).map((part) => new Decimal(part, places));
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
