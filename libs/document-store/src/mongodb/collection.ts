import { Decimal128, type Document, type Filter, MongoServerError, ObjectId } from 'mongodb';
import { OutcomeUnknown } from '@svc/kernel';
import { DocumentStoreUnavailable } from '../unavailable.ts';
import { boundsOf, checkFields, claimLimit, isEquality, sortOf, termsOf } from '../declared.ts';
import type { Collection, Doc, Filter as PortFilter, Indexed, Query } from '../port.ts';
import { reading, TIMEOUT_MS, writing } from './attempt.ts';
import { changeOf, claimEach, claimOne } from './claim.ts';
import { encoded, MARK, markOf, read, stored, type Stored } from './codec.ts';
import { pageOf, readChunks } from './page.ts';
import { checkScalars, type ServerCollection } from './server-collection.ts';
import { stepOf, writeInOrder } from './write.ts';

/** How many operations of a long write or claim one request carries. */
const CHUNK = 500;
/** More than `CHUNK`, so that a page is one read. */
const BATCH = 1_000;

export function mongoCollection<D extends Doc>(target: ServerCollection): Collection<D> {
  const { name, stored: docs } = target;
  const collection: Collection<D> = {
    async get(id) {
      await target.ready();
      const doc = await reading(target.task('find', 'a document of'), ({ timeoutMS }) => docs.findOne({ _id: id }, { timeoutMS }));
      return doc === null ? undefined : read<D>(doc);
    },

    async insert(doc) {
      checkScalars(target, doc);
      const mark = new ObjectId();
      const row = { ...stored(doc), [MARK]: mark };
      await target.ready();
      return writing(target.task('insert', 'an insert into'), async ({ timeoutMS, doubt }) => {
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

    insertFor: (_command, doc) => collection.insert(doc),

    async indexed<F extends string & keyof D>(ids: readonly string[], fields: readonly F[]) {
      checkFields(target, fields);
      const where = whereOf(target, { _id: { $in: [...ids] } });
      const projection = Object.fromEntries(['version', ...fields].map((field) => [field, 1]));
      await target.ready();
      const find = ({ timeoutMS }: { timeoutMS: number }) =>
        docs.find(where, { projection, batchSize: ids.length + 1, timeoutMS }).toArray();
      const found = await reading(target.task('find', 'fields of'), find);
      return found.map((doc) => plainFields(doc) as Indexed<D, F>);
    },

    find(filter, query = {}) {
      const where = whereOf(target, filter);
      const options = optionsOf(target, query);
      return options.limit === 0 ? nothing() : streamed<D>(target, where, options);
    },

    async count(filter) {
      const where = whereOf(target, filter);
      await target.ready();
      return reading(target.task('aggregate', 'a count of'), ({ timeoutMS }) => docs.countDocuments(where, { timeoutMS }));
    },

    async highest(field, filter) {
      const where = whereOf(target, filter);
      const options = { ...optionsOf(target, { sort: { [field]: -1 }, limit: 1 }), projection: { _id: 0, [field]: 1 } };
      await target.ready();
      const find = ({ timeoutMS }: { timeoutMS: number }) => docs.find(where, { ...options, timeoutMS }).toArray();
      const [row] = await reading(target.task('find', `the highest ${field} of`), find);
      return (row?.[field] as number | undefined) ?? null;
    },

    async page(filter, query, bytes) {
      const where = whereOf(target, filter);
      const { skip, sort } = optionsOf(target, query);
      await target.ready();
      return pageOf<D>(target, where, { skip, limit: boundsOf(query).limit, ...(sort && { sort }) }, bytes);
    },

    async *read(ids, filter, bytes) {
      const where = whereOf(target, filter);
      await target.ready();
      yield* readChunks<D>(target, ids, where, bytes);
    },

    async write(ops) {
      const steps = ops.map((op) => stepOf(target, op));
      await target.ready();
      const done = new Set<string>();
      for (let at = 0; at < steps.length; at += CHUNK) await writeInOrder(target, steps.slice(at, at + CHUNK), done);
      return done;
    },

    async claim(filter, { set }, query = {}) {
      const where = whereOf(target, filter);
      const options = optionsOf(target, { ...query, limit: claimLimit(query) });
      const change = changeOf(target, set);
      if (options.limit === 0) return [];
      await target.ready();
      if (isEquality(filter['_id'])) return (await claimOne(target, where, change)).map((doc) => read<D>(doc));
      const found = await reading(target.task('find', 'a claim in'), ({ timeoutMS }) =>
        docs.find(where, { ...options, projection: { _id: 1 }, timeoutMS }).toArray(),
      );
      const ids = found.map(({ _id }) => _id);
      const claimed: Stored[] = [];
      for (let at = 0; at < ids.length; at += CHUNK) claimed.push(...(await claimEach(target, where, ids.slice(at, at + CHUNK), change)));
      return claimed.map((doc) => read<D>(doc));
    },

    async size() {
      await target.ready();
      const stats = await reading(target.task('collStats', 'the size of'), ({ timeoutMS }) =>
        docs.db.command({ collStats: docs.collectionName }, { timeoutMS }),
      );
      return { documents: Number(stats['count'] ?? 0), bytes: Number(stats['size'] ?? 0) };
    },
  };
  return collection;
}

/** The filter for MongoDB: `{ $eq: null }` matches absent fields too, as does a null in `$in`. */
function whereOf(target: ServerCollection, filter: PortFilter): Filter<Stored> {
  const where: Record<string, Document> = {};
  for (const { field, operator, operand } of termsOf(target, filter)) where[field] = { ...where[field], [operator]: encoded(operand) };
  return where;
}

function optionsOf(target: ServerCollection, query: Query): { skip: number; limit?: number; sort?: [string, 1 | -1][]; batchSize: number } {
  const { skip, limit } = boundsOf(query);
  return {
    skip,
    batchSize: BATCH,
    ...(limit !== Infinity && { limit }),
    ...(query.sort && { sort: sortOf(target, query.sort) }),
  };
}

/** Scalars as JavaScript has them, without those that are null. */
const plainFields = (doc: Stored): object =>
  Object.fromEntries(
    Object.entries(doc).flatMap(([field, value]: [string, unknown]) =>
      value === null ? [] : [[field, value instanceof Decimal128 ? Number(value.toString()) : value]],
    ),
  );

async function* nothing(): AsyncGenerator<never> {}

/** Retries until the first documents are read; a stream that breaks after that throws. */
async function* streamed<D extends Doc>(target: ServerCollection, where: Filter<Stored>, options: object): AsyncGenerator<D> {
  await target.ready();
  const first = target.task('find', 'a stream of');
  const more = target.task('getMore', 'a stream of');
  const open = () => target.stored.find(where, { ...options, timeoutMS: TIMEOUT_MS, timeoutMode: 'iteration' });
  let cursor = open();
  let isUnderWay = false;
  const hasMore = (): Promise<boolean> =>
    reading(isUnderWay ? more : first, async ({ doubt }) => {
      if (doubt && isUnderWay) throw new DocumentStoreUnavailable(`${more.what} broke off`);
      if (doubt) {
        await cursor.close();
        cursor = open();
      }
      return cursor.hasNext();
    });
  try {
    for (; await hasMore(); isUnderWay = true) for (const doc of cursor.readBufferedDocuments()) yield read<D>(doc);
  } finally {
    // The server forgets what is left of it, or does not answer.
    cursor.close().catch(() => undefined);
  }
}
