import { inStoreSpan } from '../store-span.ts';

/** Runs a statement's work in a span where a request is traced. `BATCH`: statements of several kinds. */
export type CollectionSpans = <T>(operation: 'SELECT' | 'INSERT' | 'UPDATE' | 'BATCH', work: () => Promise<T>) => Promise<T>;

export const collectionSpans =
  (namespace: string, collection: string): CollectionSpans =>
  (operation, work) =>
    inStoreSpan(() => ({ system: 'sqlite', operation, collection, namespace }), work);
