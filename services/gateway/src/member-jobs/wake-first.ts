import type { Collection } from '@svc/document-store';
import type { MemberJob } from './member-job.ts';

/** Makes due the job of a queue that is next. `now`: milliseconds since 1970. */
export async function wakeFirst<J extends MemberJob>(rows: Collection<J>, queue: string, now: number): Promise<void> {
  for await (const { _id } of rows.find({ queue, ended_at: null }, { sort: { _id: 1 }, limit: 1 }))
    await rows.claim({ _id, due_at: { $gt: now } }, { set: { due_at: now, next_at: now } as Partial<J> });
}
