import { createHash } from 'node:crypto';
import type { Collection, Doc } from '../port.ts';

export interface Digest {
  rows: number;
  /** SHA-256, hex, of every row in the order of its id. */
  digest: string;
}

/** A digest of a read model: two of one shape that have folded the same events have the same digest. Reads everything. */
export async function digestOf<D extends Doc>(collection: Collection<D>): Promise<Digest> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const row of collection.find({}, { sort: { _id: 1 } })) {
    hash.update(JSON.stringify(row, sorted)).update('\n');
    rows += 1;
  }
  return { rows, digest: hash.digest('hex') };
}

/** The order of fields is the database's, not the row's. */
const sorted = (_name: string, value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
