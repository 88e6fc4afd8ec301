import type { EventStore } from '@svc/event-store';

/** A process of which nothing more is heard once its n-th append is due: `before` it reaches the store, or when it is stored. */
export interface Death {
  at: number;
  when: 'before' | 'after';
}

const never = (): Promise<never> => new Promise(() => undefined);

/** The store as a process sees it that is killed between two appends. `killed` is called once. */
export function dyingStore(store: EventStore, { at, when }: Death, killed: () => void): EventStore {
  let appends = 0;
  let isDead = false;
  const die = (): Promise<never> => {
    if (!isDead) killed();
    isDead = true;
    return never();
  };
  return {
    ...store,
    read: (...asked) => (isDead ? never() : store.read(...asked)),
    tail: (...asked) => (isDead ? never() : store.tail(...asked)),
    known: (...asked) => store.known(...asked),
    head: () => store.head(),
    newestAt: () => store.newestAt(),
    refusesWrites: () => store.refusesWrites(),
    subscribe: (...asked) => store.subscribe(...asked),
    watch: (appended) => store.watch(appended),
    async append(...asked) {
      if (isDead) return never();
      appends += 1;
      if (appends !== at) return store.append(...asked);
      if (when === 'after') await store.append(...asked);
      return die();
    },
  };
}
