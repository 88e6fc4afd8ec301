import type { Doc, Index } from '@svc/document-store';
import { idOf, versionAt, type Env, type Recorded } from '@svc/kernel';

/** A list's row: the fields that filters and sorts use (scalars, absent as null), and the domain's state, from which the resource is made on read. */
export interface Row<State = unknown> extends Doc {
  account: string;
  env: Env;
  /** Dense per account and environment, from 1, in the order of creation; in projections with `ordinals`. */
  ordinal?: number;
  /** The subject of the row's personal data; indexed where there is any, so that erasure finds it. */
  subject?: string;
  /** ISO 8601. */
  created_at: string;
  state: State;
}

/** A pure fold of one category's streams into the rows of a read model. A new shape is a new name, never a change of the old. */
export interface Projection<R extends Row> {
  /** Collection and subscription: `invoices_v1`. */
  name: string;
  /** Category of the folded streams. */
  category: string;
  ordinals: boolean;
  indexes: Index[];
  /**
   * The row after the event; undefined where there is none (yet). `recorded` follows the row's last event. May throw `UnknownEvent`:
   * the event is then skipped and logged. `foldRows` sets `ordinal`.
   */
  evolve(row: R | undefined, recorded: Recorded): R | undefined;
}

/** The fields of a row that come from the event's stream and metadata. */
export const rowOf = ({ stream, revision, metadata }: Recorded): Pick<Row, '_id' | 'version' | 'account' | 'env'> => ({
  _id: idOf(stream),
  version: versionAt(revision),
  account: metadata.account,
  env: metadata.env,
});
