import { BSON, type Filter } from 'mongodb';
import type { Doc, Page } from '../port.ts';
import { reading } from './attempt.ts';
import { read, type Stored } from './codec.ts';
import type { ServerCollection } from './server-collection.ts';

/** Documents that the server sends in one reply: their sizes are not known before, since not every server has `$bsonSize`. */
const AT_ONCE = 4;
/** Documents that others may insert before a page between its two reads. */
const SLACK = 100;

export interface PageOptions {
  skip: number;
  limit: number;
  sort?: [string, 1 | -1][];
}

/** Documents as long as they fit, through one cursor that is then closed; the ids of the others by a second read. */
export async function pageOf<D extends Doc>(
  target: ServerCollection,
  where: Filter<Stored>,
  options: PageOptions,
  bytes: number,
): Promise<Page<D>> {
  if (options.limit === 0) return { docs: [], left: [] };
  const { rows, isCut } = bytes === 0 ? { rows: [] as Buffer[], isCut: true } : await leading(target, where, options, bytes);
  const found = rows.map((row) => docOf<D>(row));
  const docs = [...new Map(found.map((doc) => [doc._id, doc])).values()]; // one that others move in the sort meanwhile may be read twice
  return { docs, left: isCut ? await idsBehind(target, where, options, docs) : [] };
}

/** The first documents up to so many bytes in all, not deserialized yet. */
function leading(
  target: ServerCollection,
  where: Filter<Stored>,
  options: PageOptions,
  bytes: number,
): Promise<{ rows: Buffer[]; isCut: boolean }> {
  return reading(target.task('find', 'documents of'), async ({ timeoutMS }) => {
    const rows: Buffer[] = [];
    let left = bytes;
    const found: AsyncIterable<unknown> = target.stored.find(where, { ...options, raw: true, batchSize: AT_ONCE, timeoutMS });
    for await (const row of found as AsyncIterable<Buffer>) {
      left -= row.length;
      if (left < 0) return { rows, isCut: true };
      rows.push(row);
    }
    return { rows, isCut: false };
  });
}

async function idsBehind(
  target: ServerCollection,
  where: Filter<Stored>,
  { limit, ...options }: PageOptions,
  docs: Doc[],
): Promise<string[]> {
  const most = limit + SLACK;
  const found = await reading(target.task('find', 'ids of'), ({ timeoutMS }) =>
    target.stored.find(where, { ...options, limit: most, projection: { _id: 1 }, batchSize: most + 1, timeoutMS }).toArray(),
  );
  const ids = found.map(({ _id }) => _id);
  const last = docs.at(-1);
  const known = new Set(docs.map(({ _id }) => _id));
  const behind = ids.slice(last === undefined ? 0 : ids.indexOf(last._id) + 1).filter((id) => !known.has(id));
  return behind.slice(0, limit - docs.length);
}

/** See the port's `read`. First one document, then as many as are likely to fit by the sizes before, up to `AT_ONCE`. */
export async function* readChunks<D extends Doc>(
  target: ServerCollection,
  ids: readonly string[],
  where: Filter<Stored>,
  bytes: number,
): AsyncGenerator<D[]> {
  let wanted = 1;
  for (let at = 0; at < ids.length;) {
    const next = ids.slice(at, at + wanted);
    const found = await rowsOf(target, next, where);
    const rows: Buffer[] = [];
    let size = 0;
    let taken = 0;
    for (const id of next) {
      const row = found.get(id);
      if (row !== undefined && rows.length > 0 && size + row.length > bytes) break; // read again for the next chunk, in its state by then
      taken += 1;
      size += row?.length ?? 0;
      if (row !== undefined) rows.push(row);
    }
    at += taken;
    wanted = Math.max(1, Math.min(AT_ONCE, Math.floor((bytes * taken) / Math.max(1, size))));
    found.clear();
    if (rows.length > 0) yield rows.splice(0).map((row) => docOf<D>(row));
  }
}

/** The documents of these ids that match, not deserialized yet, by their ids. */
async function rowsOf(target: ServerCollection, ids: string[], where: Filter<Stored>): Promise<Map<string, Buffer>> {
  const matching: Filter<Stored> = { $and: [{ _id: { $in: ids } }, where] };
  const rows = await reading(target.task('find', 'documents of'), ({ timeoutMS }) =>
    target.stored.find(matching, { raw: true, batchSize: ids.length + 1, timeoutMS }).toArray(),
  );
  return new Map((rows as unknown as Buffer[]).map((row) => [idOf(row), row]));
}

/** A stored document starts with its size (4 bytes), then `_id`: type, name, the length of the string (4 bytes), the string, NUL. */
const idOf = (row: Buffer): string => row.toString('utf8', 13, 12 + row.readInt32LE(9));

const docOf = <D extends Doc>(row: Buffer): D => read<D>(BSON.deserialize(row));
