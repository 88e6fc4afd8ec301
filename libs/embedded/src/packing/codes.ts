import type { Names } from './names.ts';

/** Fields of few different texts with which nearly every index begins. Their columns `n_<field>` hold the codes of `Names`. */
export const CODED: readonly string[] = ['account', 'env'];

/** The text to look up for a value of such a field; null is absent. Throws a TypeError for other values, which have no code. */
export function nameIn(field: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new TypeError(`${field} holds a text or null: the embedded store has a code for it`);
  return value.toWellFormed();
}

/** The code, or the name itself where it has none yet, for `withCode`. */
export function codeOrName(names: Names, field: string, value: unknown): string | number | null {
  const name = nameIn(field, value);
  return name === null ? null : (names.codeOf(name) ?? name);
}

/** Inside a write: the code for a name that had none. */
export const withCode = <T>(names: Names, value: T): T | number => (typeof value === 'string' ? names.add(value) : value);

/** In SQL: the code of the name of one parameter, as it is when the statement runs; NULL, which equals nothing, where it has none. */
export const CODE = '(SELECT code FROM names WHERE name = ?)';
/** The codes of those names in one parameter, a JSON array, that have one. */
export const CODES = '(SELECT code FROM names WHERE name IN (SELECT value FROM json_each(?)))';

/** Fills the column of a table that is older than the column, from its documents. `value`: the document's value, in SQL. */
export const fillCodes = (table: string, column: string, value: string): string =>
  `INSERT OR IGNORE INTO names(name) SELECT DISTINCT ${value} FROM ${table};
   UPDATE ${table} SET ${column} = (SELECT code FROM names WHERE name = ${value})`;
