import type { Turn } from '@svc/kernel';

/** A plain document of JSON values, exact numbers included. `version` guards every write; it starts at 1, or at 0 where a first put replaces the document. */
export interface Doc {
  _id: string;
  version: number;
}

export type Scalar = string | number | boolean | null;
export type Condition = Scalar | { $eq?: Scalar; $in?: Scalar[]; $gt?: Scalar; $gte?: Scalar; $lt?: Scalar; $lte?: Scalar };
/** Conditions by field, all of which must hold; only fields of declared indexes and `_id`, else the call throws. */
export type Filter = Record<string, Condition>;
/** Field to direction, the most significant first. */
export type Sort = Record<string, 1 | -1>;

/**
 * An index over top-level fields that hold scalars. Absent reads as null. A unique one rejects a second document with the same values,
 * unless one of them is null.
 */
export interface Index {
  fields: string[];
  unique?: boolean;
  /** A field of it: documents where it is null need not be in the index. So it serves only filters that this field must have a value for. */
  present?: string;
}

export interface Query {
  /** Without it the order is undefined. Nulls come first; the order of equal documents is undefined. */
  sort?: Sort;
  skip?: number;
  limit?: number;
  /** How many match, where the caller knows: a page of few is sorted, and one behind the middle is found from the end. */
  matches?: number;
  /** For requests: awaited between pieces of a page that has many documents before it, so that finding it does not hold up other requests. Not for `find`. */
  turn?: Turn;
}

/** What `indexed` reads of a document. */
export type Indexed<D extends Doc, F extends keyof D> = Pick<D, F | '_id' | 'version'>;

export interface Page<D> {
  docs: D[];
  /** The ids of the documents behind them. */
  left: string[];
}

/** A delete with a version deletes only that version. */
export type Write<D> = { insert: D } | { put: D } | { delete: string; version?: number };

/**
 * A subset of MongoDB's own verbs. Every write is majority-durable when its promise resolves, and safe to repeat. Where the server
 * gives no answer, reads throw `DocumentStoreUnavailable` and writes `OutcomeUnknown`: the write may have been done, or may be later. One that has answered nothing for 2 s
 * is not asked: then both throw `DocumentStoreUnavailable`.
 */
export interface Collection<D extends Doc> {
  get(id: string): Promise<D | undefined>;
  /** False: a document with this `_id` (or a unique index's value) exists already. Atomic. */
  insert(doc: D): Promise<boolean>;
  /**
   * An insert for a command whose events come next: the document is stored before them, or in the same commit. Until then reads by its id, `insert`, `write` and `claim` of
   * this collection treat it as stored, others need not see it, and a crash may leave neither it nor events. A `put` or `delete` of its id ends the wait for the events.
   * `complete`: called where both are one commit, in it: the document is stored as it returns it, under the same id. Elsewhere it is stored before them, as `doc`.
   */
  insertFor(command: string, doc: D, complete?: () => D): Promise<boolean>;
  /**
   * Of the documents of these ids, these indexed fields and declared texts, and their versions, in no order; the rest, which may be long, is not read. At most
   * 10,000 ids. A field that is null is absent; numbers are doubles.
   */
  indexed<F extends string & keyof D>(ids: readonly string[], fields: readonly F[]): Promise<Indexed<D, F>[]>;
  /**
   * Streams: not a snapshot. A document that is not written meanwhile is returned exactly once; one that is moved in the sort meanwhile may
   * be returned twice or not at all. With a `limit` of at most 500 it is one read.
   */
  find(filter: Filter, query?: Query): AsyncIterable<D>;
  /** `turn`: as of `Query`. The count is of no one moment then. */
  count(filter: Filter, turn?: Turn): Promise<number>;
  /** The highest number in an indexed field of those that match; null where there is none. Reads only the index. */
  highest(field: string, filter: Filter): Promise<number | null>;
  /**
   * One page, without reading more of it than fits: its first documents up to `bytes` in all, and the ids of the others, in order.
   * Nothing is open afterwards.
   */
  page(filter: Filter, query: Query & { limit: number }, bytes: number): Promise<Page<D>>;
  /**
   * The documents of these ids that match the filter, in this order, in chunks of about `bytes` or of one larger document. A chunk is read when it is
   * asked for, in the state of that moment, and nothing is open in between; documents that are deleted or no longer match are skipped.
   */
  read(ids: readonly string[], filter: Filter, bytes: number): AsyncIterable<D[]>;
  /**
   * In order. insert: does nothing if `_id` or a unique index's value exists. put: only over a lower version (or none); throws `UniqueViolation` where a
   * unique index rejects it: the operations before it may be done or not, those behind it are not. Returns the ids of the documents that its inserts stored. One that is missing
   * existed before, or an earlier try that got no answer stored it.
   */
  write(ops: Write<D>[]): Promise<Set<string>>;
  /**
   * Compare-and-set, one document at a time: sets the fields of `set` (undefined removes a field) in those that match and increments their
   * version; returns the changed documents, without those that others have changed since. With `{ _id, version }` in the filter it is
   * an optimistic update: [] means that another writer was faster. At most `limit` of them, 10,000 by default. Throws `UniqueViolation` where a unique
   * index rejects a change.
   */
  claim(filter: Filter, change: { set: Partial<D> }, query?: { sort?: Sort; limit?: number }): Promise<D[]>;
  /** About how much there is, by the store's own figures or a sample: it costs no scan. For metrics. */
  size(): Promise<Size>;
}

export interface Size {
  documents: number;
  /** As they are stored, without indexes. */
  bytes: number;
}

export interface CollectionOptions {
  indexes?: Index[];
  /** Fields that hold long texts, which are stored as they are: a text that is JSON is not serialized again. `a.b`: a field of the field `a`. */
  texts?: string[];
  /** Few documents, read far more often than written: `get` may return one that was read before, where no write can have changed it since. It is not to be changed. */
  mostlyRead?: boolean;
}

export interface DocumentStore {
  /** The collection of this name in one service's database; declares its indexes and texts, also in an existing collection. Only at start. */
  collection<D extends Doc>(name: string, options?: CollectionOptions): Collection<D>;
  /**
   * The first writes of an effect, in their order. On an engine of this process those that the steps begin before they first wait are one commit, or none of them is done; on a server
   * each step begins when the one before it has ended, so that a crash leaves the first ones: each can be repeated. Rejects with the first failure; no step behind it is done then.
   */
  unitOfWork(steps: readonly (() => Promise<unknown>)[]): Promise<void>;
  /** The server's time in milliseconds since 1970; absent where no server is, which would have another clock. Throws as reads do. */
  time?(): Promise<number>;
}
