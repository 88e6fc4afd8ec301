import { changeEach, type CollectionOptions, type Doc, type DocumentStore } from '@svc/document-store';
import type { CiphertextState, KeyRing } from '../secrets/key-ring.ts';

/** Where the documents of a collection have what the key ring of the service has encrypted. */
export interface StoredCiphertexts {
  collection: string;
  options?: CollectionOptions;
  /** The fields of the document that have ciphertexts, with what `each` returns in their place; {} where it has none. */
  fields(doc: Doc, each: (ciphertext: string) => string): object;
}

/** As in `StoredCiphertexts`, for documents of type `D`. */
export const ciphertextsIn = <D extends Doc>(
  collection: string,
  fields: (doc: D, each: (ciphertext: string) => string) => Partial<D>,
  options: CollectionOptions = {},
): StoredCiphertexts => ({ collection, options, fields: fields as StoredCiphertexts['fields'] });

/** What one service has encrypted, and the ring that decrypts it. */
export interface EncryptedDocuments {
  service: string;
  documents: DocumentStore;
  ring: Pick<KeyRing, 'encrypt' | 'decrypt' | 'stateOf'>;
  ciphertexts: readonly StoredCiphertexts[];
}

export type Counts = Record<CiphertextState, number>;

/** How many ciphertexts each collection has, by the key that decrypts them. Reads all documents of these collections. */
export async function countCiphertexts({ documents, ring, ciphertexts }: EncryptedDocuments): Promise<Record<string, Counts>> {
  const all: Record<string, Counts> = {};
  for (const { collection, options, fields } of ciphertexts) {
    const counts = { newest: 0, older: 0, unreadable: 0 };
    for await (const doc of documents.collection(collection, options).find({}))
      fields(doc, (ciphertext) => {
        counts[ring.stateOf(ciphertext, { collection, id: doc._id })] += 1;
        return ciphertext;
      });
    all[collection] = counts;
  }
  return all;
}

/**
 * Encrypts with the newest key what an older one has encrypted, by compare-and-set of each document beside other writers. Calls `changed` with each document
 * that it changes. What no key decrypts stays as it is. A repeat goes on where an earlier run ended.
 */
export async function reencrypt({ documents, ring, ciphertexts }: EncryptedDocuments, changed: () => void): Promise<void> {
  for (const { collection, options, fields } of ciphertexts)
    await changeEach(documents.collection(collection, options), {}, (doc) => {
      const row = { collection, id: doc._id };
      let older = 0;
      const set = fields(doc, (ciphertext) => {
        if (ring.stateOf(ciphertext, row) !== 'older') return ciphertext;
        older += 1;
        return ring.encrypt(ring.decrypt(ciphertext, row));
      });
      if (older > 0) changed();
      return older > 0 ? set : undefined;
    });
}
