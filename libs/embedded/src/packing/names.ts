import type { SQLOutputValue } from 'node:sqlite';

/** Names that are kept in memory, and the longest of them in UTF-16 units: about 3 MiB in all. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 64;

interface NamesOf {
  sql(text: string): {
    get(value: string | number): Record<string, SQLOutputValue> | undefined;
    run(value: string): { lastInsertRowid: number | bigint };
  };
  /** Whether what is read now may still be rolled back. */
  isInTransaction(): boolean;
}

/**
 * Small integers for texts that many rows repeat, such as an account: the table `names` of the whole database. A code is stored by the transaction that
 * first uses it, or not at all; a name that was ever committed keeps its code. What is kept in memory was read outside of a transaction, so it is
 * never of one that was rolled back, whose codes go to other names.
 */
export class Names {
  private readonly codes = new Map<string, number>();
  private readonly names = new Map<number, string>();

  constructor(private readonly db: NamesOf) {}

  /** Inside a write: the code of the name, a new one where it has none. */
  add(name: string): number {
    return this.codeOf(name) ?? Number(this.db.sql('INSERT INTO names(name) VALUES (?)').run(name).lastInsertRowid);
  }

  /** undefined: no row has the name. */
  codeOf(name: string): number | undefined {
    const known = this.codes.get(name);
    if (known !== undefined) return known;
    const code = this.db.sql('SELECT code FROM names WHERE name = ?').get(name)?.['code'] as number | undefined;
    if (code !== undefined) this.keep(code, name);
    return code;
  }

  /** The name that has this code, which stands in a row. */
  nameOf(code: number): string {
    const known = this.names.get(code);
    if (known !== undefined) return known;
    const name = this.db.sql('SELECT name FROM names WHERE code = ?').get(code)?.['name'] as string | undefined;
    if (name === undefined) throw new Error(`no name has the code ${code}: the database is damaged; restore it from a backup`);
    this.keep(code, name);
    return name;
  }

  private keep(code: number, name: string): void {
    if (name.length > LONGEST_NAME || this.db.isInTransaction()) return;
    if (this.names.size >= MOST_NAMES) {
      const [[oldest, oldestName]] = this.names as unknown as [[number, string]];
      this.names.delete(oldest);
      this.codes.delete(oldestName);
    }
    this.names.set(code, name);
    this.codes.set(name, code);
  }
}

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

/** Codes begin with a digit; no category and no type does. */
const IS_CODE = /^\d/;

/** The places of the points before and behind the account in a stream's name. undefined: it has another form. */
function pointsOf(stream: string): [number, number] | undefined {
  const first = stream.indexOf('.');
  const second = stream.indexOf('.', first + 1);
  return second === -1 ? undefined : [first, second];
}

/**
 * Streams and types of events as rows have them: with codes among the engine's names. A stream is stored as the code of its category and environment, the
 * code of its account, and its id: 36 characters in place of 75, in the table and in its index. A name of another form is stored whole.
 */
export class ShortNames {
  constructor(private readonly names: Names) {}

  /** The stored name of a stream, for reads; of one that does not exist, a name that no row has. Throws a RangeError for what is none. */
  find(stream: string): string {
    checkName('stream', stream);
    const points = pointsOf(stream);
    if (!points) return stream;
    const { names } = this;
    const [category, account] = [names.codeOf(stream.slice(0, points[0])), names.codeOf(stream.slice(points[0] + 1, points[1]))];
    return category === undefined || account === undefined ? stream : `${category}.${account}${stream.slice(points[1])}`;
  }

  /** Inside a write. */
  add(stream: string): string {
    checkName('stream', stream);
    const points = pointsOf(stream);
    if (!points) return stream;
    const { names } = this;
    return `${names.add(stream.slice(0, points[0]))}.${names.add(stream.slice(points[0] + 1, points[1]))}${stream.slice(points[1])}`;
  }

  /** Outside of a write, before an append: what is looked up here is kept in memory, what a write looks up is not. */
  recall(stream: string, events: readonly { type: string }[]): void {
    this.find(stream);
    for (const { type } of events) this.names.codeOf(type);
  }

  streamOf(stored: string): string {
    if (!IS_CODE.test(stored)) return stored;
    const [first, second] = pointsOf(stored) as [number, number];
    const name = (from: number, to: number): string => this.names.nameOf(Number(stored.slice(from, to)));
    return `${name(0, first)}.${name(first + 1, second)}${stored.slice(second)}`;
  }

  /** Inside a write. */
  addType(type: string): string {
    checkName('type', type);
    return String(this.names.add(type));
  }

  typeOf(stored: string): string {
    return this.names.nameOf(Number(stored));
  }
}

function checkName(what: 'stream' | 'type', name: string): void {
  if (IS_CODE.test(name)) throw new RangeError(`the name of a ${what} begins with no digit: ${name}`);
}
