import type { Engine } from '@svc/embedded';
import { allDone } from '@svc/kernel';
import { including } from '../declared.ts';
import type { Collection, CollectionOptions, Doc, DocumentStore, Write } from '../port.ts';
import { embeddedCollection, inserted } from './collection.ts';
import { openTable, type Table, rowOf } from './table.ts';
import { LRUCache } from 'lru-cache';

/** What all users of a collection share: its columns, and what is in memory of it. */
interface Opened {
  table: Table;
  collection: Collection<Doc>;
  mostlyRead: boolean;
}

const opened = new WeakMap<Engine, Map<string, Opened>>();

export interface EmbeddedOptions {
  /** Whether commands append their events on this engine: `insertFor` waits for them. Default: it is a plain insert. */
  hasEvents?: boolean;
}

/** The document store of one service's database (`svc_invoicing`); each collection is a table of the embedded engine. */
export function embeddedDocumentStore(engine: Engine, database: string, { hasEvents = false }: EmbeddedOptions = {}): DocumentStore {
  const all = opened.get(engine) ?? new Map<string, Opened>();
  opened.set(engine, all);

  function open(table: Table, mostlyRead: boolean): Opened {
    const plain = embeddedCollection<Doc>(engine, table);
    const collection = hasEvents ? waitingForEvents(engine, table, plain) : plain;
    return { table, collection: mostlyRead ? keptInMemory(collection) : collection, mostlyRead };
  }

  return {
    collection<D extends Doc>(name: string, { indexes = [], texts = [], mostlyRead = false }: CollectionOptions = {}): Collection<D> {
      const key = `${database}.${name}`;
      const known = all.get(key);
      if (known && known.mostlyRead !== mostlyRead) throw new Error(`one user of ${key} declares it as mostly read, and another does not`);
      const declared = including(known?.table.indexes ?? [], indexes);
      const isNew = !known || declared !== known.table.indexes || texts.some((field) => !known.table.texts.includes(field));
      const table = isNew
        ? Object.assign(known?.table ?? {}, openTable(engine, { database, collection: name, indexes: declared, texts }))
        : known.table;
      const found = known ?? open(table, mostlyRead);
      all.set(key, found);
      return found.collection as unknown as Collection<D>;
    },
    unitOfWork: (steps) => engine.asOne(() => allDone(steps.map((step) => step()))),
  };
}

const KEPT_BYTES = 4 * 1024 * 1024;
const ROW = 1024;

/**
 * A collection of which `get` keeps what it has read until the next write. All writes of the process go through what this returns: one that has been answered is
 * seen by every `get` after it.
 */
function keptInMemory<D extends Doc>(collection: Collection<D>): Collection<D> {
  const kept = new LRUCache<string, D>({ maxSize: KEPT_BYTES, sizeCalculation: (doc) => ROW + 2 * JSON.stringify(doc).length });
  /** Of reads: one that began before a write ended may be older than it. */
  let generation = 0;

  async function written<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      generation += 1;
      kept.clear();
    }
  }

  return {
    ...collection,
    async get(id) {
      const known = kept.get(id);
      if (known) return known;
      const began = generation;
      const found = await collection.get(id);
      if (found && generation === began) kept.set(id, found);
      return found;
    },
    insert: (doc) => written(collection.insert(doc)),
    insertFor: (command, doc, complete) => written(collection.insertFor(command, doc, complete)),
    write: (ops) => written(collection.write(ops)),
    claim: (filter, change, query) => written(collection.claim(filter, change, query)),
  };
}

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
function waitingForEvents<D extends Doc>(engine: Engine, table: Table, stored: Collection<D>): Collection<D> {
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

    async insertFor(command, doc, complete) {
      const { _id } = doc;
      if (waiting.has(_id) || inserting.has(_id) || table.get.get(_id) !== undefined) return false;
      const kept = { ...doc };
      const one: Waiting<D> = { doc: kept, command, store: () => void inserted(engine, table, rowOf(table, kept)) };
      waiting.set(_id, one);
      engine.join(command, {
        work: complete ? () => void inserted(engine, table, rowOf(table, complete())) : one.store,
        stored: () => void (waiting.get(_id) === one && waiting.delete(_id)),
      });
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
