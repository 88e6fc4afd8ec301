import type { Engine } from '@svc/embedded';
import { including } from '../declared.ts';
import type { Collection, CollectionOptions, Doc, DocumentStore } from '../port.ts';
import { embeddedCollection } from './collection.ts';
import { openTable, type Table } from './table.ts';

/** One table object per table of an engine, so that columns declared by one user of a collection are known to all. */
const opened = new WeakMap<Engine, Map<string, Table>>();

/** The document store of one service's database (`svc_invoicing`); each collection is a table of the embedded engine. */
export function embeddedDocumentStore(engine: Engine, database: string): DocumentStore {
  const tables = opened.get(engine) ?? new Map<string, Table>();
  opened.set(engine, tables);
  return {
    collection<D extends Doc>(name: string, { indexes = [], texts = [] }: CollectionOptions = {}): Collection<D> {
      const key = `${database}.${name}`;
      const known = tables.get(key);
      const all = including(known?.indexes ?? [], indexes);
      if (known && all === known.indexes && texts.every((field) => known.texts.includes(field)))
        return embeddedCollection<D>(engine, known);
      const table = Object.assign(known ?? {}, openTable(engine, { database, collection: name, indexes: all, texts }));
      tables.set(key, table);
      return embeddedCollection<D>(engine, table);
    },
  };
}
