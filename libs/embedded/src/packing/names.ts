import type { SQLOutputValue } from 'node:sqlite';

/** Names that are kept in memory, and the longest of them in UTF-16 units: about 3 MiB in all. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 64;

export interface NamesOf {
  /** The prepared statement of a text. */
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
