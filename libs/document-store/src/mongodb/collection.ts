import { OutcomeUnknown } from '@svc/kernel';
import { type Document, type Filter, MongoServerError, ObjectId } from 'mongodb';
import { DocumentsUnavailable } from '../unavailable.ts';
import { boundsOf, claimLimit, isEquality, sortOf, termsOf } from '../declared.ts';
import type { Collection, Doc, Filter as PortFilter, Query } from '../port.ts';
import { reading, TIMEOUT_MS, writing } from './attempt.ts';
import { changeOf, claimEach, claimOne } from './claim.ts';
import { encoded, MARK, markOf, read, stored, type Stored } from './codec.ts';
import { pageOf, readChunks } from './page.ts';
import { checkScalars, type Place } from './place.ts';
import { stepOf, writeInOrder } from './write.ts';

/** So many operations go with one request of a long write or claim. */
const CHUNK = 500;
/** More than `CHUNK`, so that a page is one read. */
const BATCH = 1_000;

export function mongoCollection<D extends Doc>(place: Place): Collection<D> {
  const { name, stored: docs } = place;
  return {
    async get(id) {
      await place.ready();
      const doc = await reading(place.task('find', 'a document of'), ({ timeoutMS }) => docs.findOne({ _id: id }, { timeoutMS }));
      return doc === null ? undefined : read<D>(doc);
    },

    async insert(doc) {
      checkScalars(place, doc);
      const mark = new ObjectId();
      const row = { ...stored(doc), [MARK]: mark };
      await place.ready();
      return writing(place.task('insert', 'an insert into'), async ({ timeoutMS, doubt }) => {
        try {
          await docs.insertOne(row, { timeoutMS });
          return true;
        } catch (error) {
          if (!(error instanceof MongoServerError && error.code === 11_000)) throw error;
        }
        if (!doubt) return false;
        const now = await docs.findOne({ _id: doc._id }, { timeoutMS });
        if (now === null || markOf(now)?.equals(mark)) return now !== null;
        if (now['version'] <= doc.version) return false;
        throw new OutcomeUnknown(`an insert into ${name}: others went on before it was known`);
      });
    },

    find(filter, query = {}) {
      const where = whereOf(place, filter);
      const options = optionsOf(place, query);
      return options.limit === 0 ? nothing() : streamed<D>(place, where, options);
    },

    async count(filter) {
      const where = whereOf(place, filter);
      await place.ready();
      return reading(place.task('aggregate', 'a count of'), ({ timeoutMS }) => docs.countDocuments(where, { timeoutMS }));
    },

    async highest(field, filter) {
      const where = whereOf(place, filter);
      const options = { ...optionsOf(place, { sort: { [field]: -1 }, limit: 1 }), projection: { _id: 0, [field]: 1 } };
      await place.ready();
      const find = ({ timeoutMS }: { timeoutMS: number }) => docs.find(where, { ...options, timeoutMS }).toArray();
      const [row] = await reading(place.task('find', `the highest ${field} of`), find);
      return (row?.[field] as number | undefined) ?? null;
    },

    async page(filter, query, bytes) {
      const where = whereOf(place, filter);
      const { skip, sort } = optionsOf(place, query);
      await place.ready();
      return pageOf<D>(place, where, { skip, limit: boundsOf(query).limit, ...(sort && { sort }) }, bytes);
    },

    async *read(ids, bytes) {
      await place.ready();
      yield* readChunks<D>(place, ids, bytes);
    },

    async write(ops) {
      const steps = ops.map((op) => stepOf(place, op));
      await place.ready();
      for (let at = 0; at < steps.length; at += CHUNK) await writeInOrder(place, steps.slice(at, at + CHUNK));
    },

    async claim(filter, { set }, query = {}) {
      const where = whereOf(place, filter);
      const options = optionsOf(place, { ...query, limit: claimLimit(query) });
      const change = changeOf(place, set);
      if (options.limit === 0) return [];
      await place.ready();
      if (isEquality(filter['_id'])) return (await claimOne(place, where, change)).map((doc) => read<D>(doc));
      const found = await reading(place.task('find', 'a claim in'), ({ timeoutMS }) =>
        docs.find(where, { ...options, projection: { _id: 1 }, timeoutMS }).toArray(),
      );
      const ids = found.map(({ _id }) => _id);
      const claimed: Stored[] = [];
      for (let at = 0; at < ids.length; at += CHUNK) claimed.push(...(await claimEach(place, where, ids.slice(at, at + CHUNK), change)));
      return claimed.map((doc) => read<D>(doc));
    },
  };
}

/** The filter in MongoDB's words: `{ $eq: null }` matches what is absent too, as does a null in `$in`. */
function whereOf(place: Place, filter: PortFilter): Filter<Stored> {
  const where: Record<string, Document> = {};
  for (const { field, operator, operand } of termsOf(place, filter)) where[field] = { ...where[field], [operator]: encoded(operand) };
  return where;
}

function optionsOf(place: Place, query: Query): { skip: number; limit?: number; sort?: [string, 1 | -1][]; batchSize: number } {
  const { skip, limit } = boundsOf(query);
  return {
    skip,
    batchSize: BATCH,
    ...(limit !== Infinity && { limit }),
    ...(query.sort && { sort: sortOf(place, query.sort) }),
  };
}

async function* nothing(): AsyncGenerator<never> {}

/** Tries again until the first documents are there; a stream that breaks after that throws. */
async function* streamed<D extends Doc>(place: Place, where: Filter<Stored>, options: object): AsyncGenerator<D> {
  await place.ready();
  const first = place.task('find', 'a stream of');
  const more = place.task('getMore', 'a stream of');
  const open = () => place.stored.find(where, { ...options, timeoutMS: TIMEOUT_MS, timeoutMode: 'iteration' });
  let cursor = open();
  let isUnderWay = false;
  const hasMore = (): Promise<boolean> =>
    reading(isUnderWay ? more : first, async ({ doubt }) => {
      if (doubt && isUnderWay) throw new DocumentsUnavailable(`${more.what} broke off`);
      if (doubt) {
        await cursor.close();
        cursor = open();
      }
      return cursor.hasNext();
    });
  try {
    for (; await hasMore(); isUnderWay = true) for (const doc of cursor.readBufferedDocuments()) yield read<D>(doc);
  } finally {
    await cursor.close();
  }
}
