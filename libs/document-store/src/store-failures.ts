import { Counter } from 'prom-client';

export type StoreOperation = 'read' | 'write';

const failures = new Counter({
  name: 'svc_store_failures_total',
  help: 'Reads and writes of a store that failed after all retries: it did not answer, denied or refused them. Conflicts do not count.',
  labelNames: ['store', 'operation'],
});

/**
 * Counts the failures of a store's operations, from 0 on. `store` is a value of `db.system.name`: `mongodb`, `eventstoredb`, `sqlite`.
 * `isAnswer`: an error that is an answer of the store, not a failure.
 */
export function countFailures(store: string, isAnswer: (error: unknown) => boolean = () => false) {
  for (const operation of ['read', 'write'] as const) failures.inc({ store, operation }, 0);
  return async <T>(operation: StoreOperation, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isAnswer(error)) failures.inc({ store, operation });
      throw error;
    }
  };
}
