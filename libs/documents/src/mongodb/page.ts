import { BSON, type Filter, type FindOptions } from 'mongodb';
import type { Doc, Page } from '../port.ts';
import { reading } from './attempt.ts';
import { read, type Stored } from './codec.ts';
import type { Place } from './place.ts';

/** Sizes are not known before documents are read, since not every server has `$bsonSize`: a few tell how large the next may be. */
const FIRST = 4;
/** Read at once whatever the sizes seen: large ones may come behind small ones. */
const MOST = 16;
/** Documents that others may put before a page between two reads of it. */
const SLACK = 100;

export interface PageOptions {
  skip: number;
  limit: number;
  sort?: [string, 1 | -1][];
}

interface Sized<D> {
  doc: D;
  bytes: number;
}

/** A few documents, then more of them at a time as long as they fit; then the ids of the others. */
export async function pageOf<D extends Doc>(place: Place, where: Filter<Stored>, options: PageOptions, bytes: number): Promise<Page<D>> {
  const { skip, limit } = options;
  const docs: D[] = [];
  let left = bytes;
  for (let wanted = Math.min(FIRST, limit); wanted > 0;) {
    const found = await sized<D>(place, where, { ...options, skip: skip + docs.length, limit: wanted });
    const known = new Set(docs.map(({ _id }) => _id));
    const fitting = leading(
      found.filter(({ doc }) => !known.has(doc._id)),
      left,
    );
    docs.push(...fitting.docs);
    left -= fitting.bytes;
    if (fitting.isCut || (fitting.docs.length === 0 && found.length > 0)) break; // others put documents before the page meanwhile
    if (found.length < wanted || docs.length >= limit) return { docs, left: [] };
    const average = (bytes - left) / docs.length;
    wanted = Math.min(MOST, limit - docs.length, Math.floor(left / average));
  }
  return { docs, left: limit === 0 ? [] : await idsBehind(place, where, options, docs) };
}

/** The first of them that have at most so many bytes together. */
function leading<D>(found: Sized<D>[], most: number): { docs: D[]; bytes: number; isCut: boolean } {
  const docs: D[] = [];
  let bytes = 0;
  for (const one of found) {
    if (bytes + one.bytes > most) return { docs, bytes, isCut: true };
    bytes += one.bytes;
    docs.push(one.doc);
  }
  return { docs, bytes, isCut: false };
}

async function idsBehind(place: Place, where: Filter<Stored>, { limit, ...options }: PageOptions, docs: Doc[]): Promise<string[]> {
  const most = limit + SLACK;
  const found = await reading(place.task('find', 'ids of'), ({ timeoutMS }) =>
    place.stored.find(where, { ...options, limit: most, projection: { _id: 1 }, batchSize: most + 1, timeoutMS }).toArray(),
  );
  const ids = found.map(({ _id }) => _id);
  const last = docs.at(-1);
  const known = new Set(docs.map(({ _id }) => _id));
  const behind = ids.slice(last === undefined ? 0 : ids.indexOf(last._id) + 1).filter((id) => !known.has(id));
  return behind.slice(0, limit - docs.length);
}

/** See the port's `read`. First one, then at most four times as many as before, by the sizes of those. */
export async function* readChunks<D extends Doc>(place: Place, ids: readonly string[], bytes: number): AsyncGenerator<D[]> {
  let wanted = 1;
  for (let at = 0; at < ids.length;) {
    const next = ids.slice(at, at + wanted);
    const rows = await sized<D>(place, { _id: { $in: next } }, { skip: 0, limit: next.length });
    const found = new Map(rows.map((row) => [row.doc._id, row]));
    const docs: D[] = [];
    let size = 0;
    let taken = 0;
    for (const id of next) {
      const row = found.get(id);
      if (row !== undefined && docs.length > 0 && size + row.bytes > bytes) break; // it is read again for the next chunk, as it is then
      taken += 1;
      size += row?.bytes ?? 0;
      if (row !== undefined) docs.push(row.doc);
    }
    at += taken;
    wanted = Math.max(1, Math.min(wanted * 4, MOST, Math.floor((bytes * taken) / Math.max(1, size))));
    rows.length = 0;
    found.clear();
    if (docs.length > 0) yield docs;
  }
}

/** Documents with their sizes on the wire. */
async function sized<D extends Doc>(place: Place, where: Filter<Stored>, options: PageOptions): Promise<Sized<D>[]> {
  const find = ({ timeoutMS }: FindOptions) =>
    place.stored.find(where, { ...options, raw: true, batchSize: options.limit + 1, timeoutMS }).toArray();
  const rows = (await reading(place.task('find', 'documents of'), find)) as unknown as Buffer[];
  return rows.map((row) => ({ doc: read<D>(BSON.deserialize(row)), bytes: row.length }));
}
