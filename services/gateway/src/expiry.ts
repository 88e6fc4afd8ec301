import { type Collection, type Job, startJobs } from '@svc/document-store';
import { type BackgroundWork, jobsWork } from '@svc/service';
import { countEntries } from './audit/count-bytes.ts';
import type { AuditEntry } from './audit/entry.ts';
import { forgetUsers } from './members/forget-people.ts';
import type { Gateway } from './open-gateway.ts';

/** Removes rows that are due: tries, known browsers, counts of requests, unfinished forms, users who are in no account, and the audit of ten years ago. */
export function expiryWork({
  accounts: { people },
  audit,
  auditBytes,
  refused,
  forms,
  countRows,
  clock,
  logger,
}: Gateway): BackgroundWork[] {
  const of = <D extends Job>(name: string, rows: Collection<D>): BackgroundWork =>
    jobsWork(name, rows, clock, () =>
      startJobs({ name: `due:${name}`, collection: rows, clock, logger, handle: (due) => remove(rows, due) }),
    );
  return [
    of('sign_in_tries', people.tries),
    of('known_browsers', people.browsers),
    jobsWork('audit', audit, clock, () => {
      const handle = async (due: AuditEntry[]): Promise<void> => {
        await remove(audit, due);
        await countEntries(auditBytes, due, -1);
      };
      return startJobs({ name: 'due:audit', collection: audit, clock, logger, handle });
    }),
    of('request_counts', countRows),
    of('refused_requests', refused),
    jobsWork('forms', forms.rows, clock, () =>
      startJobs({ name: 'due:forms', collection: forms.rows, clock, logger, handle: (due) => forms.removeAll(due) }),
    ),
    jobsWork('users', people.users, clock, () =>
      startJobs({ name: 'due:users', collection: people.users, clock, logger, handle: (due) => forgetUsers({ people, clock }, due) }),
    ),
  ];
}

/** Deletes rows at the version that was claimed: one that is used again meanwhile stays. */
async function remove<D extends Job>(rows: Collection<D>, due: readonly D[]): Promise<void> {
  await rows.write(due.map(({ _id, version }) => ({ delete: _id, version })));
}
