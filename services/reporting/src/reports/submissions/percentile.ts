/**
 * For each share the smallest of the values that at least this share of them does not exceed (nearest rank); null without values. `counts`: how often
 * each value is there. `shares`: in ascending order.
 */
export function percentiles(counts: ReadonlyMap<number, number>, shares: readonly number[]): (number | null)[] {
  const sorted = Float64Array.from(counts.keys()).sort();
  const all = counts.values().reduce((sum, count) => sum + count, 0);
  let [n, before] = [0, 0];
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * all));
    while (n < sorted.length && before + (counts.get(sorted[n] as number) as number) < rank)
      before += counts.get(sorted[n++] as number) as number;
    return sorted[n] ?? null;
  });
}
