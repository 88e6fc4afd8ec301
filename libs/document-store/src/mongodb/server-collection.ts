import type { Collection, IndexDescription } from 'mongodb';
import type { Circuit } from '@svc/kernel';
import { type Declared, including, scalar } from '../declared.ts';
import type { Index } from '../port.ts';
import type { Server } from '../store-span.ts';
import { inTime, reading, type Task } from './attempt.ts';
import type { Stored } from './codec.ts';

/** A collection of the server, and the indexes that this process declared. */
export interface ServerCollection extends Declared {
  readonly stored: Collection<Stored>;
  declare(indexes: readonly Index[], texts?: readonly string[]): void;
  /** `a write to` this collection by a `command` of MongoDB, by this process's user. */
  task(command: string, doing: string): Task;
  /**
   * Resolves when the server is connected and the declared indexes exist; every operation waits for it within its own time. An index that
   * takes longer is built meanwhile. Where it rejects, the next call waits or tries again.
   */
  ready(): Promise<unknown>;
}

/** From the connection string. */
export interface Caller {
  /** '' where it names none. */
  user: string;
  server: Server;
  circuit?: Circuit;
}

/** A new index of a large collection takes time, and the server aborts one that is not built within the time of its command. */
const BUILD_MS = 24 * 60 * 60_000;

/** Runs the work once for all callers; where it failed, again for the next. */
export function onceDone(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

export function serverCollection(
  stored: Collection<Stored>,
  connected: () => Promise<unknown>,
  { user, server, circuit }: Caller,
): ServerCollection {
  let indexes: readonly Index[] = [];
  const texts: string[] = [];
  const about = { system: 'mongodb', collection: stored.collectionName, namespace: stored.dbName, server };
  const task = (operation: string, doing: string): Task => ({
    ...{ what: `${doing} ${stored.namespace}`, user, call: { ...about, operation } },
    ...(circuit && { circuit }),
  });
  const indexing = task('createIndexes', 'a declaration of indexes of');
  const declaring = (wanted: IndexDescription[]): (() => Promise<unknown>) => {
    let isThere = false;
    const there = onceDone(async () => {
      await connected();
      const build = ({ timeoutMS }: { timeoutMS: number }) => stored.createIndexes(wanted, { timeoutMS, commitQuorum: 'majority' });
      if (wanted.length > 0) await reading(indexing, build, BUILD_MS);
      isThere = true;
    });
    return async () => isThere || inTime(indexing, there());
  };
  let ready = declaring([]);
  return {
    name: stored.namespace,
    stored,
    task,
    get indexes() {
      return indexes;
    },
    texts,
    declare(more, moreTexts = []) {
      texts.push(...moreTexts);
      const all = including(indexes, more);
      if (all === indexes) return;
      indexes = all;
      ready = declaring(descriptions(indexes));
    },
    ready: () => ready(),
  };
}

/** One for each name. */
const descriptions = (indexes: readonly Index[]): IndexDescription[] => [
  ...new Map(indexes.flatMap(described).map((description) => [description.name, description])).values(),
];

/**
 * One index for filters and sorts; a unique one has a second beside it, over only those documents in which no field is null, since that
 * partial index serves hardly any filter.
 */
function described({ fields, unique }: Index): IndexDescription[] {
  const name = fields.join();
  const key = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  const present = Object.fromEntries(fields.map((field) => [field, { $type: ['string', 'number', 'bool'] }]));
  return [
    ...(name === '_id' ? [] : [{ name, key }]),
    ...(unique ? [{ name: `${name} unique`, key, unique, partialFilterExpression: present }] : []),
  ];
}

/** Throws where an indexed field holds no scalar. */
export function checkScalars({ indexes }: ServerCollection, doc: object): void {
  for (const { fields } of indexes) for (const field of fields) scalar((doc as Record<string, unknown>)[field]);
}
