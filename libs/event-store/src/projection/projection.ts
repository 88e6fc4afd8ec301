import type { Doc, Index } from '@svc/document-store';
import { idOf, versionAt, type Env, type Fold, type Recorded } from '@svc/kernel';

/** A list's row: the fields that filters and sorts use (scalars, absent as null), and what a list shows of it. */
export interface Row extends Doc {
  account: string;
  env: Env;
  /** Dense per account and environment, from 1, in the order of creation; in projections with `ordinals`. */
  ordinal?: number;
  /** The subject of the row's personal data; indexed where there is any, so that erasure finds it. */
  subject?: string;
  /** ISO 8601. */
  created_at: string;
  /** The resource as JSON: lists join these texts. */
  resource: string;
}

/**
 * Rows of a read model, each a pure function of the state after an event of one category's streams. A new shape of the rows or of the resource is a new
 * name, never a change of the old.
 */
export interface Projection<R extends Row, State = unknown> extends Fold<State> {
  /** Collection and subscription: `invoices_v1`. */
  name: string;
  /** Category of the folded streams. */
  category: string;
  ordinals: boolean;
  indexes: Index[];
  /** Fields of the row that the read model of the release before lacks, or holds with another meaning. Beside each such list stands the release that ends it: `until 0.3`. */
  newFields?: readonly string[];
  /** The row without `ordinal` and `resource`; undefined where there is none (yet). */
  row(state: State, recorded: Recorded): Omit<R, 'ordinal' | 'resource'> | undefined;
  /** Of a state that has a row. */
  resource(state: State, recorded: Recorded): object;
}

/** The fields of a row that come from the event's stream and metadata. */
export const rowOf = ({ stream, revision, metadata }: Recorded): Pick<Row, '_id' | 'version' | 'account' | 'env'> => ({
  _id: idOf(stream),
  version: versionAt(revision),
  account: metadata.account,
  env: metadata.env,
});
