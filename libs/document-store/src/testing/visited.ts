import type { DatabaseSync } from 'node:sqlite';
import type { Engine, Statement } from '@svc/embedded';

export interface Visited {
  sql: string;
  /** Entries of an index, or rows, that the statement looked at. */
  entries: number;
  /** Rows that it returned. */
  returned: number;
  /** The index that it walks, by its name; undefined: the table. */
  index(): string | undefined;
  /** Whether SQLite sorts what it has found. */
  sorts(): boolean;
}

/** The same engine, which reports what each of its reads of a collection visits. */
export function reporting(engine: Engine, report: (visited: Visited) => void): Engine {
  let entries = 0;
  const db = Reflect.get(engine, 'db') as DatabaseSync;
  db.function('visited', () => {
    entries += 1;
    return 1;
  });
  const observed = (sql: string): Statement => {
    const counting = sql.replace(/(FROM "[^"]+"(?: INDEXED BY "[^"]+"| NOT INDEXED)?) WHERE /, '$1 WHERE visited() AND ');
    const statement = engine.sql(counting);
    if (counting === sql) return statement;
    const count = <T>(values: unknown[], read: () => T): T => {
      entries = 0;
      const found = read();
      const plan = () =>
        engine
          .sql(`EXPLAIN QUERY PLAN ${sql}`)
          .all(...(values as string[]))
          .map(({ detail }) => String(detail));
      report({
        ...{ sql, entries, returned: Array.isArray(found) ? found.length : Number(found !== undefined) },
        index: () => plan().flatMap((detail) => /USING (?:COVERING )?INDEX (\S+)/.exec(detail)?.[1] ?? [])[0],
        sorts: () => plan().some((detail) => detail.includes('TEMP B-TREE')),
      });
      return found;
    };
    return {
      ...statement,
      get: (...values) => count(values, () => statement.get(...values)),
      all: (...values) => count(values, () => statement.all(...values)),
      iterate: (...values) => count(values, () => statement.all(...values))[Symbol.iterator](),
    };
  };
  return Object.create(engine, { sql: { value: observed } }) as Engine;
}
