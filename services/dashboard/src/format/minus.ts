import type { Decimal } from './numbers.ts';

/** Two decimals as whole numbers of the same unit, and the decimals of that unit. */
function aligned(one: Decimal, other: Decimal): [bigint, bigint, number] {
  const parts = [one, other].map((value) => value.split('.') as [string, string?]);
  const places = Math.max(...parts.map(([, part = '']) => part.length));
  const [a = 0n, b = 0n] = parts.map(([whole, part = '']) => BigInt(whole + part.padEnd(places, '0')));
  return [a, b, places];
}

/** `one` - `other`, with all digits. */
export function minus(one: Decimal, other: Decimal): Decimal {
  const [a, b, places] = aligned(one, other);
  const left = a - b;
  const digits = (left < 0n ? -left : left).toString().padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '');
  return left < 0n ? `-${text}` : text;
}
