import type { Decimal } from '@svc/kernel';

/** An exact fraction in its lowest terms; `d` is above 0. */
export interface Fraction {
  n: bigint;
  d: bigint;
}

export const zeroFraction: Fraction = { n: 0n, d: 1n };

const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** `n / d`. */
export const fractionOf = (n: Decimal, d: Decimal): Fraction =>
  reduced(BigInt(n.units) * powerOfTen(d.scale), BigInt(d.units) * powerOfTen(n.scale));

export const plus = (one: Fraction, other: Fraction): Fraction => reduced(one.n * other.d + other.n * one.d, one.d * other.d);

export const negative = ({ n, d }: Fraction): Fraction => ({ n: -n, d });

function reduced(n: bigint, d: bigint): Fraction {
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  while (b !== 0n) [a, b] = [b, a % b];
  if (a === 0n) return zeroFraction;
  const divisor = d < 0n ? -a : a;
  return { n: n / divisor, d: d / divisor };
}

/** `n` or `n/d`. */
export const fractionText = ({ n, d }: Fraction): string => (d === 1n ? String(n) : `${n}/${d}`);

/** What `fractionText` wrote. */
export function fractionIn(text: string): Fraction {
  const [n = '0', d = '1'] = text.split('/');
  return { n: BigInt(n), d: BigInt(d) };
}
