import type { SubmissionsResource } from '@svc/contracts/console/jobs';
import type { Collection } from '@svc/document-store';
import { type Clock, invalid, nextTurn, prefixed, uidOf } from '@svc/kernel';
import { listEnvelope } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { beginJob } from '../member-jobs/begin-job.ts';
import { jobResource, newJob } from '../member-jobs/member-job.ts';
import { jobOf } from '../member-jobs/read-jobs.ts';
import { stopJob } from '../member-jobs/stop-job.ts';
import type { Waker } from '../member-jobs/waker.ts';
import { namesOfMembers } from '../members/names.ts';
import { pageOf } from '../page-of.ts';
import { KEPT_MS, type Submissions } from '../submissions/submissions.ts';
import type { Ask } from './ask.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { sessionOf } from './session-of.ts';

/** Invoices that are looked up at once. */
const AT_ONCE = 20;

interface SubmissionsParts {
  context: ConsoleContext;
  rows: Collection<Submissions>;
  waker: Waker;
  ask: Ask;
  clock: Clock;
}

export function submissionsHandlers({ context, rows, waker, ask, clock }: SubmissionsParts) {
  const shown = async (job: Submissions): Promise<SubmissionsResource> =>
    resourceOf(job, (await namesOfMembers(context, job.account, [job.member])).get(job.member) ?? null);

  return {
    async 'GET /console/submissions'(request) {
      const { account, env } = request.identity;
      const { found, total } = await pageOf(rows, { account, env }, request.query, request.turn);
      const names = await namesOfMembers(context, account, [...new Set(found.map(({ member }) => member))]);
      const data = found.map((job) => ({ ...resourceOf(job, names.get(job.member) ?? null), failed: [] }));
      return listEnvelope({ publicUrl: context.publicUrl, request, total, data });
    },

    async 'POST /console/submissions'(request) {
      const { ids } = request.body;
      const { identity } = request;
      const { account, env, commandId } = identity;
      if (new Set(ids).size < ids.length) throw invalid({ ids: ['Send each id once.'] });
      await checkIds(request, ids);
      const job: Submissions = {
        ...{ ...newJob(identity, clock.now()), _id: prefixed('sub', commandId), queue: `${env}.${account}`, total: ids.length },
        ...{ ids, failed: [], share: { resetAt: 0, used: 0 } },
      };
      const begun = await beginJob(rows, job, { type: 'submissions', asked: { invoices: ids.length }, identity, clock });
      waker.wake();
      return shown(begun);
    },

    'GET /console/submissions/{id}': async (request) => shown(await jobOf(rows, request.identity, request.params.id)),

    async 'DELETE /console/submissions/{id}'(request) {
      const { identity, params } = request;
      const { member } = sessionOf(request);
      const job = await stopJob(rows, { type: 'submissions', id: params.id, keptFor: KEPT_MS, identity, member, clock });
      waker.wake();
      return shown(job);
    },
  } satisfies Partial<ConsoleHandlers>;

  async function checkIds(request: FastifyRequest, ids: readonly string[]): Promise<void> {
    const unknown = (id: string) => invalid({ ids: [`There is no invoice ${JSON.stringify(id)} in this account and environment.`] });
    for (let n = 0; n < ids.length; n += AT_ONCE) {
      await Promise.all(
        ids.slice(n, n + AT_ONCE).map(async (id) => {
          // A document may be long; of its payments one line is read.
          if (uidOf('inv', id) === undefined || (await ask(request, `/invoices/${id}/payments`, { per_page: '1' })).status === 404)
            throw unknown(id);
        }),
      );
      await nextTurn(request.identity.account);
    }
  }
}

const resourceOf = (job: Submissions, name: string | null): SubmissionsResource => ({
  ...{ id: job._id, object: 'submissions' },
  ...jobResource(job, name),
  ...{ failed_count: job.failed.length, failed: job.failed },
});
