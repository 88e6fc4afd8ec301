import type { Collection, Documents } from '@svc/document-store';
import { createReadBarrier, startLeasedFollower, type Follower } from '@svc/event-store';
import type { FollowingContext } from '../following/following.ts';
import { foldRows } from './fold-rows.ts';
import type { Row, View } from './view.ts';

/** A view that is kept up to date, here or in another replica. */
export interface RunningView<R extends Row> {
  view: View<R>;
  rows: Collection<R>;
  /** Resolves when the rows hold everything that was acknowledged before the call; refuses with `service_unavailable` after 5 s. */
  barrier(): Promise<void>;
  follower: Follower;
}

export function runView<R extends Row>(view: View<R>, documents: Documents, context: FollowingContext): RunningView<R> {
  const indexes = view.ordinals ? [...view.indexes, { fields: ['account', 'env', 'ordinal'], unique: true }] : view.indexes;
  const rows = documents.collection<R>(view.name, { indexes });
  const follower = startLeasedFollower({ ...context, name: view.name, handle: foldRows(view, rows, context.logger), saveWithin: 0 });
  return { view, rows, follower, barrier: createReadBarrier({ store: context.store, follower, clock: context.clock }) };
}
