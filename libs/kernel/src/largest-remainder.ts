import { add, integer, type Integer } from './integer.ts';

const MOST = Number.MAX_SAFE_INTEGER;
/** A quotient of doubles up to it is less than 1 off, and a remainder by a divisor up to it stays exact. */
const LARGEST = 2 ** 50;

/**
 * Divides each given count in proportion to `weights`, whose sum is `total` > 0: every part is rounded down, then the largest remainders
 * get 1 each, of equal ones the first.
 */
export function sharesOf(weights: readonly Integer[], total: Integer): (count: Integer) => Integer[] {
  const numbers = weights.every((weight) => typeof weight === 'number') && total <= LARGEST ? weights : undefined;
  let bigints: bigint[] | undefined;
  return (count) => {
    const parts = numbers && typeof count === 'number' && inNumbers(count, numbers, Number(total));
    if (parts) return parts;
    bigints ??= weights.map(BigInt);
    return inBigints(BigInt(count), bigints, BigInt(total));
  };
}

/** Undefined for parts that doubles do not hold: weights of both signs may cancel, so that a part is more than the count. */
function inNumbers(count: number, weights: readonly number[], total: number): number[] | undefined {
  const rests = new Float64Array(weights.length);
  const parts: number[] = [];
  for (let n = 0; n < weights.length; n += 1) {
    const weight = weights[n] ?? 0;
    const product = count * weight;
    let part = Math.floor(product / total);
    if (part > LARGEST || part < -LARGEST) return undefined;
    const multiple = part * total;
    let rest = product - multiple; // not rounded: both are exact, or so close that their difference is a double
    if (product > MOST || product < -MOST || multiple < -MOST)
      rest += roundedOff(count, weight, product) - roundedOff(part, total, multiple);
    if (rest < 0) {
      part -= 1;
      rest += total;
    } else if (rest >= total) {
      part += 1;
      rest -= total;
    }
    rests[n] = rest;
    parts.push(part);
  }
  for (const n of largest(rests, total, () => 0)) parts[n] = (parts[n] ?? 0) + 1;
  return parts;
}

function inBigints(count: bigint, weights: readonly bigint[], total: bigint): Integer[] {
  const rests: bigint[] = [];
  const rounded = new Float64Array(weights.length);
  const parts: Integer[] = [];
  for (let n = 0; n < weights.length; n += 1) {
    const product = count * (weights[n] ?? 0n);
    let part = product / total;
    let rest = product - part * total;
    if (rest < 0n) [part, rest] = [part - 1n, rest + total];
    rests.push(rest);
    rounded[n] = Number(rest);
    parts.push(integer(part));
  }
  const compare = (a: number, b: number): number => (rests[a] === rests[b] ? 0 : (rests[a] ?? 0n) > (rests[b] ?? 0n) ? -1 : 1);
  for (const n of largest(rounded, Number(total), compare)) parts[n] = add(parts[n] ?? 0, 1);
  return parts;
}

/**
 * Where the largest rests are, as many as make up for all of them; of equal ones the first in the order of `compare`, which is asked only
 * about the least that are taken.
 */
function largest(rests: Float64Array, total: number, compare: (a: number, b: number) => number): number[] {
  const count = Math.round(rests.reduce((sum, rest) => sum + rest / total, 0)); // a multiple of the total but for the last bits
  if (count === 0) return [];
  const least = rests.toSorted()[rests.length - count] ?? 0;
  const [taken, level]: [number[], number[]] = [[], []];
  for (let n = 0; n < rests.length; n += 1) {
    const rest = rests[n] ?? 0;
    if (rest > least) taken.push(n);
    else if (rest === least) level.push(n);
  }
  return [...taken, ...level.sort(compare).slice(0, count - taken.length)];
}

/** `a × b` less `product`, which is `a * b` as a double: an integer that a double holds (Dekker's product of halves). */
function roundedOff(a: number, b: number, product: number): number {
  const [aHigh, bHigh] = [highHalf(a), highHalf(b)];
  const [aLow, bLow] = [a - aHigh, b - bHigh];
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** The upper 26 bits; the rest has no more (Veltkamp). */
function highHalf(value: number): number {
  const shifted = value * (2 ** 27 + 1);
  return shifted - (shifted - value);
}
