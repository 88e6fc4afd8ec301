import type { Doc, Index } from '@svc/document-store';
import { versionAt, type Env, type Recorded } from '@svc/kernel';
import { idOf } from '../streams.ts';

/** A list's row: what it is found and sorted by (scalars, absent as null), and the domain's state, of which the resource is made when it is read. */
export interface Row<State = unknown> extends Doc {
  account: string;
  env: Env;
  /** Dense per account and environment, from 1, in the order of creation; where the view has `ordinals`. */
  ordinal?: number;
  /** Whose personal data stands here; indexed where there is any, so that erasure finds it. */
  subject?: string;
  /** ISO 8601. */
  created_at: string;
  state: State;
}

/** A read model: a pure fold of one category's streams into rows. A new shape is a new name, never a change of the old. */
export interface View<R extends Row> {
  /** Collection and follower: `invoices_v1`. */
  name: string;
  /** Of the streams that are folded. */
  category: string;
  ordinals: boolean;
  indexes: Index[];
  /**
   * The row after the event; undefined where there is none (yet). `recorded` follows the row's last event. May throw `UnknownEvent`:
   * the event is then skipped and counted. `ordinal` is not its business.
   */
  evolve(row: R | undefined, recorded: Recorded): R | undefined;
}

/** The fields of a row that the event itself tells. */
export const rowOf = ({ stream, revision, metadata }: Recorded): Pick<Row, '_id' | 'version' | 'account' | 'env'> => ({
  _id: idOf(stream),
  version: versionAt(revision),
  account: metadata.account,
  env: metadata.env,
});
