import type { JobReason, JobStatus } from '@svc/contracts/console/jobs';
import type { ConsoleActor } from '@svc/contracts/console/resources';
import type { Index } from '@svc/document-store';
import { type Actor, type Env, iso } from '@svc/kernel';
import type { Audited, Identity } from '@svc/service';

/** Work that a member has asked for and does not wait for. It goes on under the member's rights, step by step, in any replica. */
export interface MemberJob extends Audited {
  account: string;
  env: Env;
  /** Under whose rights it works. */
  member: string;
  /** Where the member asked from. */
  from: Pick<Actor, 'ip' | 'via'>;
  request_id: string;
  status: JobStatus;
  done: number;
  total: number;
  reason: JobReason | null;
  /** Jobs of one queue run one after the other, in the order of their ids. */
  queue: string;
  /** The queue while it runs, in which a unique index lets one run; null: it does not. */
  running_in: string | null;
  /** When its next step is due; once it has ended: when it is removed. Milliseconds since 1970, as all times here. */
  next_at: number;
  /** Steps that failed in a row. */
  tries: number;
  /** Steps in a row that began and neither ended nor failed: their process died. The one under way counts. */
  broken_off: number;
  created_at: number;
  ended_at: number | null;
}

export const jobIndexes: Index[] = [
  { fields: ['due_at'] },
  { fields: ['account', 'env', '_id'] },
  { fields: ['queue', 'ended_at', '_id'] },
  { fields: ['member', 'ended_at'] },
  { fields: ['running_in'], unique: true, present: 'running_in' },
];

type Begun = Omit<MemberJob, '_id' | 'queue' | 'total'>;

/** What a job begins as that a member asks for. `now`: milliseconds since 1970. */
export const newJob = ({ account, env, actor: { id, ip, via }, requestId }: Identity, now: number): Begun => ({
  ...{ version: 1, account, env, member: id, from: { ...(ip && { ip }), ...(via && { via }) }, request_id: requestId },
  ...{ status: 'queued', done: 0, reason: null, running_in: null, next_at: now, due_at: now, tries: 0, broken_off: 0 },
  ...{ created_at: now, ended_at: null },
});

/** What a job has once it has ended. `now`, `keptFor`: milliseconds. */
export const endOf = (
  status: 'succeeded' | 'failed',
  reason: JobReason | null,
  { now, keptFor }: { now: number; keptFor: number },
): Partial<MemberJob> => ({ status, reason, running_in: null, ended_at: now, next_at: now + keptFor });

/** What all jobs show. `name`: of the member. */
export const jobResource = ({ status, done, total, reason, member, created_at: at, ended_at: end }: MemberJob, name: string | null) => ({
  ...{ status, done, total, reason },
  created_by: { type: 'member', id: member, name } satisfies ConsoleActor,
  ...{ created_at: iso(at), ended_at: end === null ? null : iso(end) },
});
