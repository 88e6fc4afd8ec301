import type { Condition, Sort } from '@svc/document-store';

/** The normalized name of a row, its field `name_key`, for sorting and searching. */
export const nameKey = (name: string): string => name.toLowerCase();

/** Greater than every string with the prefix: the last code point. */
const LAST = '\u{10ffff}';

/** Rows whose name begins so, in any case. */
export const beginsWith = (name: string): Condition => ({ $gte: nameKey(name), $lt: nameKey(name) + LAST });

/** The orders of a list of what has a name. */
export const ordersByName: Record<string, Sort> = {
  '-created_at': { created_at: -1, _id: -1 },
  created_at: { created_at: 1, _id: 1 },
  name: { name_key: 1, _id: 1 },
  '-name': { name_key: -1, _id: -1 },
};
