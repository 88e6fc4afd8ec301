import type { Collection, CollectionOptions, Doc, DocumentStore } from '../port.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** The document store of a process that is killed after so many writes: it sends nothing more, and no answer comes. */
export function killedBehind(documents: DocumentStore, writes: number, kill: () => void = () => undefined) {
  let left = writes;
  let isDead = false;
  const die = (): void => {
    isDead = true;
    kill();
  };
  const read = <A extends unknown[], T>(work: (...asked: A) => Promise<T>) => {
    return (...asked: A): Promise<T> => (isDead ? never() : work(...asked));
  };
  const write = <A extends unknown[], T>(work: (...asked: A) => Promise<T>) => {
    return (...asked: A): Promise<T> => {
      if (isDead) return never();
      if (left-- > 0) return work(...asked);
      die();
      return never();
    };
  };
  async function* heard<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    if (isDead) await never();
    yield* items;
  }
  return {
    isDead: () => isDead,
    /** Kills it between two writes. */
    die,
    documents: {
      ...documents,
      collection<D extends Doc>(name: string, options?: CollectionOptions): Collection<D> {
        const all = documents.collection<D>(name, options);
        return {
          ...all,
          ...{ get: read(all.get), page: read(all.page), count: read(all.count), size: read(all.size) },
          indexed: (ids, fields) => (isDead ? never() : all.indexed(ids, fields)),
          ...{ insert: write(all.insert), write: write(all.write), claim: write(all.claim) },
          find: (filter, query) => heard(all.find(filter, query)),
          read: (ids, filter, bytes) => heard(all.read(ids, filter, bytes)),
        };
      },
    } satisfies DocumentStore,
  };
}
