import type { Condition } from '@svc/document-store';

/** The condition for the values of a filter, of which one must hold: an equality where there is one. */
export function oneOf(values: readonly string[]): Condition {
  const [first = '', ...others] = new Set(values);
  return others.length === 0 ? first : { $in: [first, ...others] };
}

/** The same for each of these fields that the query names. */
export const oneOfEach = <Field extends string>(
  fields: readonly Field[],
  query: Partial<Record<Field, readonly string[]>>,
): Record<string, Condition> =>
  Object.fromEntries(fields.flatMap((field) => (query[field] === undefined ? [] : [[field, oneOf(query[field])]])));
