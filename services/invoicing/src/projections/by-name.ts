import type { Condition, Sort } from '@svc/document-store';
import { foldCase } from '@svc/kernel';

/** Greater than every string with the prefix: the last code point. */
const LAST = '\u{10ffff}';

/** Rows whose folded name, their field `name_key`, begins so. */
export const beginsWith = (name: string): Condition => ({ $gte: foldCase(name), $lt: foldCase(name) + LAST });

/** The orders of a list of what has a name. */
export const ordersByName: Record<string, Sort> = {
  '-created_at': { created_at: -1, _id: -1 },
  created_at: { created_at: 1, _id: 1 },
  name: { name_key: 1, _id: 1 },
  '-name': { name_key: -1, _id: -1 },
};
