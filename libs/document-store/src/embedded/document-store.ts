import type { Engine } from '@svc/embedded';
import { allDone } from '@svc/kernel';
import { including } from '../declared.ts';
import type { Collection, CollectionOptions, Doc, DocumentStore } from '../port.ts';
import { embeddedCollection } from './collection.ts';
import { waitingForEvents } from './for-events.ts';
import { keptInMemory } from './kept-in-memory.ts';
import { openTable, type Table } from './table.ts';

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
