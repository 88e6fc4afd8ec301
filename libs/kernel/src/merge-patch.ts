import { type FieldProblem, invalid } from './domain-error.ts';

const MOST_PAIRS = 50;
const tooManyPairs: FieldProblem = {
  field: 'metadata',
  rule: 'max_pairs',
  params: { max: MOST_PAIRS },
  message: `has at most ${MOST_PAIRS} pairs; remove some with null`,
};

/** A resource's metadata after a merge patch (RFC 7396): null removes a pair, a patch of null removes all. Throws `validation_error` above 50 pairs. */
export function mergeMetadata(now: Record<string, string>, patch: Record<string, string | null> | null): Record<string, string> {
  if (patch === null) return {};
  const merged = Object.fromEntries(Object.entries({ ...now, ...patch }).filter((pair): pair is [string, string] => pair[1] !== null));
  if (Object.keys(merged).length > MOST_PAIRS) throw invalid([tooManyPairs]);
  return merged;
}

/** True if both have the same JSON text: the same values with keys in the same order. */
export const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
