import { compareAndSet } from './compare-and-set.ts';
import type { Collection, Doc, Filter } from './port.ts';

const AT_ONCE = 100;

/**
 * Changes every document that matches, a hundred at once. `change`: the fields to set; undefined: the document stays as it is. Idempotent where
 * `change` is. Throws what `compareAndSet` throws; documents before that are changed.
 */
export async function changeEach<D extends Doc>(
  collection: Pick<Collection<D>, 'find' | 'get' | 'insert' | 'claim'>,
  filter: Filter,
  change: (doc: D) => Partial<D> | undefined,
): Promise<void> {
  let batch: Promise<unknown>[] = [];
  for await (const doc of collection.find(filter)) {
    if (change(doc)) batch.push(compareAndSet<D, undefined>(collection, doc._id, { absent: () => undefined, change }));
    if (batch.length < AT_ONCE) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
}
