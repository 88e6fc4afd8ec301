import { BSON, type Filter, type FindOptions } from 'mongodb';
import type { Doc, Page } from '../port.ts';
import { reading } from './attempt.ts';
import { read, type Stored } from './codec.ts';
import type { Place } from './place.ts';

/** Sizes are not known before they are read, since not every server has `$bsonSize`: so many documents at once, a usual page in one read. */
const FIRST = 20;
/** Ids that others may have inserted before a page while its first documents were read. */
const SLACK = 200;

export type PageOptions = { skip: number; limit: number; sort?: [string, 1 | -1][] };

/** The first documents by one cursor that is closed as soon as they are too many; then the ids of those behind the last of them. */
export async function pageOf<D extends Doc>(place: Place, where: Filter<Stored>, options: PageOptions, bytes: number): Promise<Page<D>> {
  const { limit } = options;
  if (limit === 0) return { docs: [], left: [] };
  const { docs, isWhole } = await reading(place.task('a page of'), async ({ timeoutMS }) => {
    const cursor = place.stored.find(where, { ...options, raw: true, batchSize: Math.min(FIRST, limit), timeoutMS });
    return firstOf<D>(cursor as unknown as AsyncIterable<Buffer>, bytes);
  });
  if (isWhole) return { docs, left: [] };
  const ids = await idsOf(place, where, { ...options, limit: limit + SLACK });
  const last = docs.at(-1);
  const behind = last === undefined ? 0 : ids.indexOf(last._id) + 1;
  const known = new Set(docs.map(({ _id }) => _id));
  const left = ids.slice(behind).filter((id) => !known.has(id));
  return { docs, left: left.slice(0, limit - docs.length) };
}

async function firstOf<D extends Doc>(rows: AsyncIterable<Buffer>, bytes: number): Promise<{ docs: D[]; isWhole: boolean }> {
  const docs: D[] = [];
  let size = 0;
  for await (const row of rows) {
    size += row.length;
    if (size > bytes) return { docs, isWhole: false };
    docs.push(read<D>(BSON.deserialize(row)));
  }
  return { docs, isWhole: true };
}

async function idsOf(place: Place, where: Filter<Stored>, options: PageOptions): Promise<string[]> {
  const find = ({ timeoutMS }: FindOptions) =>
    place.stored.find(where, { ...options, projection: { _id: 1 }, batchSize: options.limit + 1, timeoutMS }).toArray();
  return (await reading(place.task('ids of'), find)).map(({ _id }) => _id);
}

/**
 * See the port's `read`. How many are read at once goes by the sizes seen so far: first one, at most four times as many as before, so that
 * what is read and thrown away stays within a few chunks.
 */
export async function* readChunks<D extends Doc>(place: Place, ids: readonly string[], bytes: number): AsyncGenerator<D[]> {
  let most = 1;
  for (let at = 0; at < ids.length;) {
    const wanted = ids.slice(at, at + most);
    const found = await sizedOf<D>(place, wanted);
    const docs: D[] = [];
    let size = 0;
    let taken = 0;
    for (const id of wanted) {
      const { doc, length } = found.get(id) ?? { length: 0 };
      if (docs.length > 0 && size + length > bytes) break; // it is read again for the next chunk, as it is then
      taken += 1;
      size += length;
      if (doc !== undefined) docs.push(doc);
    }
    found.clear();
    at += taken;
    most = Math.max(1, Math.min(most * 4, Math.floor((bytes * taken) / Math.max(1, size))));
    if (docs.length > 0) yield docs;
  }
}

async function sizedOf<D extends Doc>(place: Place, ids: string[]): Promise<Map<string, { doc?: D; length: number }>> {
  const find = ({ timeoutMS }: FindOptions) =>
    place.stored.find({ _id: { $in: ids } }, { raw: true, batchSize: ids.length + 1, timeoutMS }).toArray();
  const rows = (await reading(place.task('documents of'), find)) as unknown as Buffer[];
  return new Map(
    rows.map((row) => {
      const doc = read<D>(BSON.deserialize(row));
      return [doc._id, { doc, length: row.length }];
    }),
  );
}
