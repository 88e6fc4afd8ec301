import type { Engine } from '@svc/embedded';
import { boundsOf, claimLimit } from '../declared.ts';
import type { Collection, Doc, Filter, Write } from '../port.ts';
import { UniqueViolation } from '../unique-violation.ts';
import { countOfIds, idsIn, pageAt, pageOf, pageOfIds, readChunks } from './page.ts';
import { indexedBy, naturalOrder, orderIn, orderOf, orderText, whereOf, type Where } from './filter.ts';
import { fieldsReader } from './fields.ts';
import type { Parameter } from './scalar.ts';
import { sizeOf } from './size.ts';
import { CHUNK, streamed } from './stream.ts';
import { countBy, rowidsOfPage, walksToFind } from './walk.ts';
import { docOf, hasUnique, parametersOf, rewrite, rowOf, type Table } from './table.ts';

export function embeddedCollection<D extends Doc>(engine: Engine, table: Table): Collection<D> {
  const { spanned } = table;
  const readFields = fieldsReader<D>(engine, table);
  const collection: Collection<D> = {
    get: (id) =>
      spanned('SELECT', async () => {
        const sync = engine.syncOf(table.name, id);
        if (sync) await sync;
        const row = table.get.get(id);
        return row && docOf<D>(table, row);
      }),

    async insert(doc) {
      const row = rowOf(table, doc);
      return spanned('INSERT', () => engine.write(() => inserted(engine, table, row)));
    },

    insertFor: (_command, doc) => collection.insert(doc),

    async indexed<F extends string & keyof D>(ids: readonly string[], fields: readonly F[]) {
      return spanned('SELECT', async () => {
        const sync = syncOf(engine, table, { _id: { $in: [...ids] } });
        if (sync) await sync;
        return readFields(ids, fields);
      });
    },

    find(filter, query = {}) {
      const { skip, limit } = boundsOf(query);
      const where = whereOf(table, filter);
      const order = query.sort && orderOf(table, filter, query.sort);
      if (limit > CHUNK) return streamed<D>(engine, table, where, order ?? naturalOrder(table, filter), skip, limit);
      return oneRead<D>(engine, table, { filter, where, order: order && orderText(order), skip, limit });
    },

    async count(filter, turn) {
      const { text, values } = whereOf(table, filter);
      const ids = idsIn(filter);
      const walks = turn && walksToFind(table, filter);
      const select = `SELECT count(*) AS n FROM ${table.name}${indexedBy(table, filter)} WHERE ${text}`;
      return spanned('SELECT', async () => {
        if (ids && turn) return countOfIds(engine, table, filter, ids, turn);
        if (walks) return countBy(engine, table, walks, turn);
        await syncOf(engine, table, filter);
        return engine.sql(select).get(...values)?.['n'] as number;
      });
    },

    async highest(field, filter) {
      const { text, values } = whereOf(table, filter);
      const [{ column } = { column: '_id' }] = orderOf(table, filter, { [field]: -1 });
      const select = `SELECT ${column} AS value FROM ${table.name} WHERE ${text} ORDER BY ${column} DESC LIMIT 1`;
      return spanned('SELECT', async () => {
        await syncOf(engine, table, filter);
        return (engine.sql(select).get(...values)?.['value'] ?? null) as number | null;
      });
    },

    async page(filter, query, bytes) {
      const { skip, limit } = boundsOf(query);
      const index = indexedBy(table, filter, query.sort);
      const order = query.sort && orderIn(table, filter, query.sort, index);
      const selection = { index, where: whereOf(table, filter), order, skip, limit };
      const { turn } = query;
      const ids = idsIn(filter);
      return spanned('SELECT', async () => {
        if (turn && ids) return pageOfIds<D>(engine, table, filter, ids, { ...query, skip, limit, turn, bytes });
        const rowids = turn && (await rowidsOfPage(engine, table, filter, { ...query, skip, limit, turn }));
        if (rowids) return pageAt<D>(engine, table, rowids, bytes);
        await syncOf(engine, table, filter);
        return pageOf<D>(engine, table, selection, bytes);
      });
    },

    read: (ids, filter, bytes) => readChunks<D>(engine, table, ids, whereOf(table, filter), bytes),

    async write(ops) {
      const steps = ops.map((op) => step(engine, table, op));
      const done = new Set<string>();
      if (steps.length > 0)
        await spanned('BATCH', () => engine.write(() => atomically(engine, table, () => steps.forEach((run) => run(done)))));
      return done;
    },

    async claim(filter, { set }, query = {}) {
      const limit = claimLimit(query);
      const { text, values } = whereOf(table, filter);
      const order = query.sort ? ` ORDER BY ${orderText(orderOf(table, filter, query.sort))}` : '';
      const select = `SELECT rowid, ${table.columns} FROM ${table.name} WHERE ${text}${order} LIMIT CAST(? AS INTEGER)`;
      const change = (): D[] =>
        atomically(engine, table, () => {
          const rows = engine.sql(select).all(...values, limit);
          return rows.map((row) => {
            const before = docOf<D>(table, row);
            const after: D = { ...before, ...set, _id: before._id, version: before.version + 1 };
            engine.wrote(table.name, after._id);
            rewrite(engine, table, row['rowid'] as number, after, set);
            return after;
          });
        });
      return spanned('UPDATE', () => engine.write(change));
    },

    size: async () => sizeOf(engine, table),
  };
  return collection;
}

/** Inside a write. False: its `_id`, or a unique index's value, exists. */
export function inserted(engine: Engine, table: Table, row: Parameter[]): boolean {
  engine.wrote(table.name, row[0] as string);
  return table.insert.run(...parametersOf(table, row)).changes === 1;
}

/** Resolves when the documents that may match are on the disk as they are read; undefined when they are. */
function syncOf(engine: Engine, table: Table, filter: Filter): Promise<void> | undefined {
  const id = filter['_id'];
  if (typeof id === 'string') return engine.syncOf(table.name, id);
  const ids = typeof id === 'object' && id !== null ? id.$in : undefined;
  if (!ids || !engine.syncOf(table.name)) return engine.syncOf(table.name);
  return ids.map((one) => engine.syncOf(table.name, String(one))).find((sync) => sync !== undefined);
}

interface OneRead {
  filter: Filter;
  where: Where;
  order: string | undefined;
  skip: number;
  limit: number;
}

async function* oneRead<D>(engine: Engine, table: Table, { filter, where: { text, values }, order, skip, limit }: OneRead) {
  const select = `SELECT ${table.columns} FROM ${table.name} WHERE ${text}${order === undefined ? '' : ` ORDER BY ${order}`} LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`;
  const rows = await table.spanned('SELECT', async () => {
    await syncOf(engine, table, filter);
    return engine.sql(select).all(...values, limit, skip);
  });
  for (const row of rows) yield docOf<D>(table, row);
}

/** Converts the document to its row at once: later changes by the caller are not stored. What it returns adds the id of an insert that it does to `done`. */
function step<D extends Doc>(engine: Engine, table: Table, op: Write<D>): (done: Set<string>) => void {
  if ('delete' in op) {
    const { delete: id, version } = op;
    return () => {
      engine.wrote(table.name, id);
      if (version === undefined) table.delete.run(id);
      else table.deleteVersion.run(id, version);
    };
  }
  if ('insert' in op) {
    const row = rowOf(table, op.insert);
    return (done) => void (inserted(engine, table, row) && done.add(row[0] as string));
  }
  const row = rowOf(table, op.put);
  return () => {
    engine.wrote(table.name, row[0] as string);
    table.put.run(...parametersOf(table, row));
  };
}

/** All of the work or none of it, where a unique index may reject one of its documents. */
function atomically<T>(engine: Engine, table: Table, work: () => T): T {
  if (!hasUnique(table)) return work();
  engine.sql('SAVEPOINT documents').run();
  try {
    return work();
  } catch (error) {
    engine.sql('ROLLBACK TO documents').run();
    throw isUniqueViolation(error) ? new UniqueViolation(`a unique index of ${table.name} refuses a document`, { cause: error }) : error;
  } finally {
    engine.sql('RELEASE documents').run();
  }
}

/** SQLITE_CONSTRAINT_UNIQUE */
const isUniqueViolation = (error: unknown): boolean => (error as { errcode?: unknown }).errcode === 2067;
