import { roleTable } from '@svc/contracts/console/roles';
import { type Collection, compareAndSet } from '@svc/document-store';
import { type Clock, notFound } from '@svc/kernel';
import { type Identity, withChangeBy } from '@svc/service';
import type { Member } from '../members/member.ts';
import { forAdministrators } from '../principals/session/refusals.ts';
import { endOf, type MemberJob } from './member-job.ts';
import { jobOf } from './read-jobs.ts';
import { wakeFirst } from './wake-first.ts';

interface Stopped {
  type: 'export' | 'submissions';
  id: string;
  /** How long it is shown after its end, in milliseconds. */
  keptFor: number;
  identity: Identity;
  member: Pick<Member, '_id' | 'role'>;
  clock: Pick<Clock, 'now'>;
}

const STOPPED = { code: 'stopped', message: 'A member has ended this before it was done.' };

/** A process that is at a step of it may lose several writes to that. */
const TRIES = 20;

/**
 * Ends a job with its entry of the audit, and starts the next one of its queue; one that has ended stays as it is. A step that is under way does nothing more once it looks.
 * Throws not_found, insufficient_permissions for another's where the member administers nothing, service_unavailable.
 */
export async function stopJob<J extends MemberJob>(
  rows: Collection<J>,
  { type, id, keptFor, identity, member, clock }: Stopped,
): Promise<J> {
  const found = await jobOf(rows, identity, id);
  if (found.member !== member._id && !roleTable[member.role].administers) throw forAdministrators();
  const { doc, changed } = await compareAndSet<J, never>(rows, id, {
    absent() {
      throw notFound('job');
    },
    change(job) {
      if (job.ended_at !== null) return undefined;
      const target = { id, name: null };
      const changes = { status: { from: job.status, to: 'failed' } };
      const end: Partial<MemberJob> = {
        ...endOf('failed', STOPPED, { now: clock.now(), keptFor }),
        ...withChangeBy(job, { type, verb: 'deleted', target, changes }, identity, clock),
      };
      return end as Partial<J>;
    },
    tries: TRIES,
  });
  if (changed) await wakeFirst(rows, doc.queue, clock.now());
  return doc;
}
