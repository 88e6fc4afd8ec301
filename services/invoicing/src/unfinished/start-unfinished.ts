import type { Collection, Documents } from '@svc/document-store';
import { startLeasedFollower, type Follower } from '@svc/event-store';
import type { InvoicingContext } from '../context.ts';
import type { FollowingContext } from '../following/following.ts';
import { startFinishing } from './finish-due.ts';
import { projectUnfinished, unfinishedIndexes, type Unfinished } from './unfinished.ts';
import type { Watched } from './watched.ts';

export interface RunningUnfinished {
  rows: Collection<Unfinished>;
  follower: Follower;
  stop(): Promise<void>;
}

/** Keeps account of documents between steps, and finishes those that were left there. */
export function startUnfinished(
  context: InvoicingContext,
  following: FollowingContext,
  documents: Documents,
  watched: readonly Watched[],
): RunningUnfinished {
  const rows = documents.collection<Unfinished>('unfinished', { indexes: unfinishedIndexes });
  const handle = projectUnfinished(watched, rows);
  const follower = startLeasedFollower({ ...following, name: 'unfinished', handle });
  const work = startFinishing(context, watched, rows);
  return {
    rows,
    follower,
    async stop() {
      await work.stop();
      await follower.stop();
    },
  };
}
