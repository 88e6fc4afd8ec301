/**
 * An integer of any size: a number where that is exact, which is up to 2^53 − 1, and beyond it a bigint, which is slower. Each integer has one
 * representation, so that `===` and `<` compare values. (−0 is a 0 to both.)
 */
export type Integer = number | bigint;

const MOST = Number.MAX_SAFE_INTEGER;
/** Also says whether a sum or product of two safe numbers is exact: a larger one is rounded to 2^53 or more. */
const isSafe = (value: number): boolean => value <= MOST && value >= -MOST;

export function integer(value: bigint): Integer {
  const double = Number(value);
  return isSafe(double) ? double : value;
}

export function add(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (isSafe(sum)) return sum;
  }
  return integer(BigInt(a) + BigInt(b));
}

export function subtract(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (isSafe(difference)) return difference;
  }
  return integer(BigInt(a) - BigInt(b));
}

export function multiply(a: Integer, b: Integer): Integer {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (isSafe(product)) return product;
  }
  return integer(BigInt(a) * BigInt(b));
}

/** `n / d` for d > 0, rounded towards minus infinity. Throws RangeError for d = 0. */
export function divide(n: Integer, d: Integer): Integer {
  // A quotient that is no integer is at least 1/d below the next one, and doubles of its size are less than 2/d apart: it is not rounded up to it.
  if (typeof n === 'number' && typeof d === 'number' && d > 0) return Math.floor(n / d);
  const [above, below] = [BigInt(n), BigInt(d)];
  return integer(above / below - (above < 0n && above % below !== 0n ? 1n : 0n));
}

export const magnitude = (value: Integer): Integer => (value < 0 ? subtract(0, value) : value);

const POWERS = Array.from({ length: 16 }, (_, n) => 10 ** n);
/** 10^n, n ≥ 0. */
export const powerOfTen = (n: number): Integer => POWERS[n] ?? 10n ** BigInt(n);
