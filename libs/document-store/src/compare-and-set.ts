import { DomainError } from '@svc/kernel';
import type { Collection, Doc } from './port.ts';

export interface ChangeOf<D extends Doc, Absent extends D | undefined = D | undefined> {
  /** The document to insert where there is none; undefined: nothing is done. May throw. */
  absent(): Absent;
  /** The fields to set; undefined: nothing is done. May throw. Called again with the newer document when another writer was faster. */
  change(doc: D): Partial<D> | undefined;
  /** How often it is tried. */
  tries?: number;
}

const TRIES = 5;

/**
 * Reads, changes and writes one document by compare-and-set on its version, and starts over when another writer was faster. Returns
 * the resulting document, and whether this call changed it. Throws `service_unavailable` after the last try: nothing was done.
 */
export async function compareAndSet<D extends Doc, Absent extends D | undefined>(
  collection: Pick<Collection<D>, 'get' | 'insert' | 'claim'>,
  id: string,
  { absent, change, tries = TRIES }: ChangeOf<D, Absent>,
): Promise<{ doc: D | Absent; changed: boolean }> {
  for (let n = 0; n < tries; n += 1) {
    // Replicas in lockstep would lose to the same one each time: one extra read brings a loser out of step.
    if (n > 0 && n % 2 === 0) await collection.get(id);
    const doc = await collection.get(id);
    if (doc === undefined) {
      const made = absent();
      if (made === undefined) return { doc: made, changed: false };
      if (await collection.insert(made)) return { doc: made, changed: true };
      continue;
    }
    const set = change(doc);
    if (set === undefined) return { doc, changed: false };
    const [after] = await collection.claim({ _id: id, version: doc.version }, { set });
    if (after !== undefined) return { doc: after, changed: true };
  }
  throw new DomainError('service_unavailable', 'Too many changes at the same time: nothing was done. Try again.', undefined, 1);
}
