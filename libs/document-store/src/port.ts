/** A plain document: what JSON can say, exact numbers included. `version` guards every write: it counts from 1. */
export interface Doc {
  _id: string;
  version: number;
}

export type Scalar = string | number | boolean | null;
export type Condition = Scalar | { $eq?: Scalar; $in?: Scalar[]; $gt?: Scalar; $gte?: Scalar; $lt?: Scalar; $lte?: Scalar };
/** Conditions by field, all ANDed; fields of declared indexes (or `_id`) alone, else the call throws. */
export type Filter = Record<string, Condition>;
/** Field to direction, in order of weight. */
export type Sort = Record<string, 1 | -1>;

/**
 * An index over top-level fields that hold scalars. Absent reads as null. A unique one refuses a second document with the same values,
 * unless one of them is null.
 */
export interface Index {
  fields: string[];
  unique?: boolean;
}

export interface Query {
  /** Without it the order is the adapter's own. Nulls come before all else; ties are the adapter's. */
  sort?: Sort;
  skip?: number;
  limit?: number;
}

export interface Page<D> {
  docs: D[];
  /** The ids of those behind them. */
  left: string[];
}

/** A delete with a version takes that one alone. */
export type Write<D> = { insert: D } | { put: D } | { delete: string; version?: number };

/**
 * A subset of MongoDB's own verbs. Every write is majority-durable when its promise resolves, and safe to repeat. Where the server
 * gives no answer, reads throw `DocumentStoreUnavailable` and writes `OutcomeUnknown`: it may have been done, or may yet be.
 */
export interface Collection<D extends Doc> {
  get(id: string): Promise<D | undefined>;
  /** false: a document with this `_id` (or a unique index's value) is there already. The one atomic claim. */
  insert(doc: D): Promise<boolean>;
  /**
   * Streams: not a snapshot. A document that nobody writes meanwhile comes exactly once; one that is moved in the order meanwhile may
   * come twice or not at all. With a `limit` of at most 500 it is one read.
   */
  find(filter: Filter, query?: Query): AsyncIterable<D>;
  count(filter: Filter): Promise<number>;
  /** The highest number in an indexed field of those that match; null where there is none. Reads the index alone. */
  highest(field: string, filter: Filter): Promise<number | null>;
  /**
   * One page, without reading more of it than fits: its first documents, as long as they have at most `bytes` together, and the ids of
   * the others, in order. Nothing is open afterwards.
   */
  page(filter: Filter, query: Query & { limit: number }, bytes: number): Promise<Page<D>>;
  /**
   * The documents of these ids, in this order, in chunks of about `bytes` or of one larger document. A chunk is read when it is asked for,
   * as its documents are then, and nothing is open in between; one that is gone is passed over.
   */
  read(ids: readonly string[], bytes: number): AsyncIterable<D[]>;
  /**
   * In order. insert: nothing if `_id` or a unique index's value is there. put: only over a lower version (or nothing); throws where a
   * unique index refuses it, and what stood before it may be done or not.
   */
  write(ops: Write<D>[]): Promise<void>;
  /**
   * Compare-and-set, one document at a time: those that match get the fields of `set` (undefined takes a field away) and their version
   * plus one; answers them as they are then, without those that others have changed since. With `{ _id, version }` in the filter it is
   * an optimistic update: [] means that somebody was faster. At most `limit` of them, 10,000 when not given.
   */
  claim(filter: Filter, change: { set: Partial<D> }, query?: { sort?: Sort; limit?: number }): Promise<D[]>;
}

export interface DocumentStore {
  /** The collection of this name in one service's database; declares its indexes, those of an older collection too. At start alone. */
  collection<D extends Doc>(name: string, options?: { indexes?: Index[] }): Collection<D>;
}
