import { createHash } from 'node:crypto';

/**
 * Pseudorandom numbers of a seed. Each part of a simulation draws from a fork of its own, so that an additional draw in one part changes no
 * other.
 */
export interface Random {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(size: number): Uint8Array;
  fork(name: string): Random;
}

export function seededRandom(seed: string): Random {
  const next = mulberry32(createHash('sha256').update(seed).digest().readUInt32LE());
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T,
    bytes: (size) => Uint8Array.from({ length: size }, () => between(0, 255)),
    fork: (name) => seededRandom(`${seed}/${name}`),
  };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
