import * as decimals from './decimal.ts';
import { bigDecimals } from './testing/big-decimals.ts';
import { seeded } from './testing/seeded.ts';

/** Integers up to it, exclusive, are exact as doubles. */
const BOUNDARY = 2n ** 53n;

type Pair = readonly [string, string];

const random = seeded(1);
const upTo = (most: number): number => Math.floor(random() * (most + 1));
const digits = (most: number): string => `${upTo(10 ** (1 + upTo(most - 1)) - 1)}`;

/** Prices and rates, many digits, and pairs whose product, sum or difference is next to the boundary. */
function pairOfDigits(): Pair {
  const near = BOUNDARY + BigInt(upTo(6) - 3);
  const one = BigInt(digits(15)) + 1n;
  const pairs = [
    (): Pair => [digits(7), digits(4)],
    (): Pair => [digits(15) + digits(15), digits(15) + digits(15)],
    (): Pair => [`${near}`, digits(2)],
    (): Pair => [`${near / one}`, `${one}`],
    (): Pair => [`${near - one}`, `${one}`],
  ];
  return (pairs[upTo(pairs.length - 1)] ?? pairs[0])!();
}

/** With a sign and a point, or with an exponent. */
function textOf(unsigned: string): string {
  const sign = upTo(2) === 0 ? '-' : '';
  if (upTo(20) === 0) return `${sign}${unsigned}e${upTo(12) - 6}`;
  const places = upTo(upTo(3) === 0 ? 10 : 4);
  const padded = unsigned.padStart(places + 1, '0');
  return places === 0 ? sign + unsigned : `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

interface Operand<Value> {
  plus(other: Value): Value;
  minus(other: Value): Value;
  times(other: Value): Value;
  cmp(other: Value): number;
}
interface Arithmetic<Value> {
  decimal(text: string): Value;
  round(value: Value, places: number): Value;
  percentOf(amount: Value, percent: Value): Value;
  quotient(n: Value, d: Value, places: number): Value;
  sharing(weights: Value[], places: number): (whole: Value) => Value[];
  sum(values: Value[]): Value;
  toText(value: Value): string;
  ZERO: Value;
}
interface Sharing<Value> {
  decimal(text: string): Value;
  sharing(weights: Value[], places: number): (whole: Value) => Value[];
  toText(value: Value): string;
}

const calculated = <Value extends Operand<Value>>(
  { decimal, round, percentOf, quotient, sum, toText, ZERO }: Arithmetic<Value>,
  [a, b]: Pair,
  places: number,
): unknown[] => {
  const [one, other] = [decimal(a), decimal(b)];
  const values = [one, sum([one, other, one]), one.minus(other), one.times(other), percentOf(one, other), round(one, places)];
  if (other.cmp(ZERO) !== 0) values.push(quotient(one, other, places));
  return [one.cmp(other), ...values.map(toText)];
};

const shared = <Value extends Operand<Value>>(
  { decimal, round, sharing, toText }: Arithmetic<Value>,
  [a, b]: Pair,
  places: number,
): unknown[] => {
  const [one, other] = [decimal(a), decimal(b)];
  return sharing([other, one, other.plus(one), other], places)(round(one, places)).map(toText);
};

test.each([
  ['sum, difference, product, percentage, comparison, rounding, quotient and text', 60_000, calculated],
  ['shares', 10_000, shared],
])('big.js has the same %s, of %i pairs', (_, count, results) => {
  for (let n = 0; n < count; n += 1) {
    const [a, b] = pairOfDigits();
    const pair: Pair = [textOf(a), textOf(b)];
    const places = upTo(4);
    const [found, expected] = [results(decimals, pair, places).join(), results(bigDecimals, pair, places).join()];
    if (found !== expected) throw new Error(`${pair.join(' and ')}, ${places} decimals: ${found}, not ${expected}`);
  }
});

test('big.js has the same shares of several amounts over one list of weights, of up to 15 digits and either sign', () => {
  const signed = (most: number): string => `${upTo(5) === 0 ? '-' : ''}${digits(most)}`;
  for (let n = 0; n < 4_000; n += 1) {
    const most = 1 + upTo(14);
    const places = upTo(4);
    const weights = Array.from({ length: 2 + upTo(20) }, () => signed(most));
    const wholes = Array.from({ length: 3 }, () => decimals.toText(decimals.round(decimals.decimal(textOf(digits(15))), places)));
    const of = <Value>({ decimal, sharing, toText }: Sharing<Value>): string => {
      const share = sharing(
        weights.map((weight) => decimal(weight)),
        places,
      );
      return wholes
        .map((whole) =>
          share(decimal(whole))
            .map((part) => toText(part))
            .join(),
        )
        .join(' ');
    };
    const [found, expected] = [of(decimals), of(bigDecimals)];
    if (found !== expected)
      throw new Error(`${wholes.join(' and ')} over ${weights.join()}, ${places} decimals: ${found}, not ${expected}`);
  }
});
