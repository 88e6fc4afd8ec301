import type { Collection, Doc } from '@svc/document-store';
import { Refusal } from '@svc/kernel';

const MOST_TRIES = 5;

/**
 * Reads, changes and writes one document, again from the start when somebody else was faster. `change` answers the fields to set;
 * `undefined`: nothing to do. Answers the document as it is then. Refuses what `missing` makes when there is none, and
 * service_unavailable when others were faster five times.
 */
export async function update<D extends Doc>(
  collection: Collection<D>,
  id: string,
  missing: () => Refusal,
  change: (doc: D) => Partial<D> | undefined,
): Promise<{ doc: D; changed: boolean }> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const doc = await collection.get(id);
    if (doc === undefined) throw missing();
    const set = change(doc);
    if (set === undefined) return { doc, changed: false };
    const [after] = await collection.claim({ _id: id, version: doc.version }, { set });
    if (after !== undefined) return { doc: after, changed: true };
  }
  throw new Refusal('service_unavailable', 'Too many changes at the same time: nothing was done. Try again.', undefined, 1);
}
