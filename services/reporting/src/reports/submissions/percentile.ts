/** The smallest of the values that at least this share of them does not exceed (nearest rank); null without values. `sorted`: in ascending order. */
export const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
