import type { Collection } from '@svc/document-store';
import { type Clock, DomainError } from '@svc/kernel';
import { type Identity, withChangeBy } from '@svc/service';
import type { MemberJob } from './member-job.ts';

/** Of a member: jobs that have not ended. Submissions may take hours each. */
const MOST_OF_MEMBER = { export: 10, submissions: 3 };
/** Of an account: those that have not ended, and all that are kept. */
const MOST_WAITING = 20;
const MOST_KEPT = 200;

interface Begun {
  type: 'export' | 'submissions';
  /** In the audit. */
  asked: Record<string, unknown>;
  identity: Identity;
  clock: Pick<Clock, 'now'>;
}

/** Stores a job, with its entry of the audit. A repeat of the command finds the one of its first run. Throws invalid_state where the member or the account has too many. */
export async function beginJob<J extends MemberJob>(rows: Collection<J>, job: J, { type, asked, identity, clock }: Begun): Promise<J> {
  const { _id, account, queue, member } = job;
  const [known, own, waiting, kept] = await Promise.all([
    rows.get(_id),
    rows.count({ member, ended_at: null }),
    rows.count({ queue, ended_at: null }),
    rows.count({ account, env: job.env }),
  ]);
  if (known) return known;
  const most = MOST_OF_MEMBER[type];
  if (own >= most) throw tooMany(`${most} of yours wait already. Begin this one when one of them is done, or end one.`);
  if (waiting >= MOST_WAITING) throw tooMany(`${MOST_WAITING} of these wait already. Begin this one when one of them is done.`);
  if (kept >= MOST_KEPT) throw tooMany(`${MOST_KEPT} of these are kept already. Begin this one when the first of them are removed.`);
  const changes = Object.fromEntries(Object.entries(asked).map(([field, to]) => [field, { from: null, to }]));
  const target = { id: _id, name: null };
  const made = { ...job, ...withChangeBy(undefined, { type, verb: 'created', target, changes }, identity, clock) };
  return (await rows.insert(made)) ? made : ((await rows.get(_id)) ?? made);
}

const tooMany = (message: string): DomainError => new DomainError('invalid_state', message);
