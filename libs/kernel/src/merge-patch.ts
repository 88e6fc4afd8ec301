import { invalid } from './refusal.ts';

const MOST_PAIRS = 50;

/** A caller's own pairs after a merge patch (RFC 7396): null removes a pair, null for the whole empties it. Throws on more than 50. */
export function mergeMetadata(now: Record<string, string>, patch: Record<string, string | null> | null): Record<string, string> {
  if (patch === null) return {};
  const merged = Object.fromEntries(Object.entries({ ...now, ...patch }).filter((pair): pair is [string, string] => pair[1] !== null));
  if (Object.keys(merged).length > MOST_PAIRS) throw invalid({ metadata: [`has at most ${MOST_PAIRS} pairs; remove some with null`] });
  return merged;
}

/** True for the same JSON with its keys in the same order. */
export const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
