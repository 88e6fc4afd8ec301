import type { Engine } from '@svc/embedded';
import type { Collection, Doc, Write } from '../port.ts';
import { inserted } from './collection.ts';
import { rowOf, type Table } from './table.ts';

interface Waiting<D> {
  doc: D;
  command: string;
  /** Inside a write. */
  store(): void;
}

const idOf = <D extends Doc>(op: Write<D>): string => ('delete' in op ? op.delete : 'insert' in op ? op.insert._id : op.put._id);

/**
 * The collection of an engine on which commands append their events: `insertFor` writes nothing, the document waits in memory for the first events of its command and
 * is stored in their commit. As many wait as requests run.
 */
export function waitingForEvents<D extends Doc>(engine: Engine, table: Table, stored: Collection<D>): Collection<D> {
  const waiting = new Map<string, Waiting<D>>();
  /** Ids of inserts that are not committed yet. */
  const inserting = new Set<string>();

  return {
    ...stored,
    async get(id) {
      const one = waiting.get(id);
      return one ? { ...one.doc } : stored.get(id);
    },

    async insert(doc) {
      if (waiting.has(doc._id)) return false;
      inserting.add(doc._id);
      return stored.insert(doc).finally(() => inserting.delete(doc._id));
    },

    async insertFor(command, doc) {
      const { _id } = doc;
      if (waiting.has(_id) || inserting.has(_id) || table.get.get(_id) !== undefined) return false;
      const row = rowOf(table, doc);
      const store = (): void => void inserted(engine, table, row);
      waiting.set(_id, { doc: { ...doc }, command, store });
      engine.join(command, store);
      return true;
    },

    async write(ops) {
      if (waiting.size === 0) return stored.write(ops);
      const rest = ops.filter((op) => !('insert' in op && waiting.has(op.insert._id)));
      const ids = rest.map(idOf).filter((id) => waiting.has(id));
      for (const id of ids) engine.part((waiting.get(id) as Waiting<D>).command);
      try {
        return await stored.write(rest);
      } finally {
        for (const id of ids) waiting.delete(id);
      }
    },

    async claim(filter, change, query) {
      const id = filter['_id'];
      const one = typeof id === 'string' ? waiting.get(id) : undefined;
      if (!one) return stored.claim(filter, change, query);
      const [, changed] = await engine.asOne(() => Promise.all([engine.write(() => one.store()), stored.claim(filter, change, query)]));
      engine.part(one.command);
      waiting.delete(one.doc._id);
      return changed;
    },
  };
}
