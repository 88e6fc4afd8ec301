import { type CreateExport, type ExportResource, problemsOfExport } from '@svc/contracts/console/jobs';
import { type Clock, type DomainError, invalid, iso, prefixed } from '@svc/kernel';
import { listEnvelope, permits } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { type Asked, emptyZip, type Export, type ExportRows, KEPT_MS } from '../exports/export.ts';
import { listsOf } from '../exports/lists.ts';
import { type ExportLinks, needsOf } from '../exports/open-exports.ts';
import { sizeOf } from '../exports/pieces.ts';
import { startOf } from '../exports/walk.ts';
import { MOST_FILES } from '@svc/service/files/zip';
import { beginJob } from '../member-jobs/begin-job.ts';
import { jobResource, newJob } from '../member-jobs/member-job.ts';
import { jobOf } from '../member-jobs/read-jobs.ts';
import { stopJob } from '../member-jobs/stop-job.ts';
import type { Waker } from '../member-jobs/waker.ts';
import { namesOfMembers } from '../members/names.ts';
import { pageOf } from '../page-of.ts';
import { roleLacks } from '../principals/session/refusals.ts';
import type { Ask, Rows } from './ask.ts';
import type { ConsoleContext, ConsoleHandlers } from './handlers.ts';
import { requireStepUp, sessionOf } from './session-of.ts';

interface ExportsParts {
  context: ConsoleContext;
  rows: ExportRows;
  links: ExportLinks;
  waker: Waker;
  ask: Ask;
  clock: Clock;
}

export function exportsHandlers({ context, rows, links, waker, ask, clock }: ExportsParts) {
  const { exports } = rows;
  const shown = async (job: Export, url: string | null): Promise<ExportResource> =>
    exportResource(job, (await namesOfMembers(context, job.account, [job.member])).get(job.member) ?? null, url);

  return {
    async 'GET /console/exports'(request) {
      const { account, env, permissions, actor } = request.identity;
      // Who reads receipts alone sees their own.
      const own: { member?: string } = permits(permissions, 'invoices:read') ? {} : { member: actor.id };
      const { found, total } = await pageOf(exports, { account, env, ...own }, request.query, request.turn);
      const names = await namesOfMembers(context, account, [...new Set(found.map(({ member }) => member))]);
      const data = found.map((job) => ({ ...exportResource(job, names.get(job.member) ?? null, null), missing: [] }));
      return listEnvelope({ publicUrl: context.publicUrl, request, total, data });
    },

    async 'POST /console/exports'(request) {
      const { kind, ...asked } = request.body;
      const { identity } = request;
      const problems = problemsOfExport(request.body);
      if (Object.keys(problems).length > 0) throw invalid(problems);
      const lacking = needsOf({ kind, asked }).permissions.find((permission) => !permits(identity.permissions, permission));
      if (lacking !== undefined) throw roleLacks(lacking);
      if (identity.livemode) await requireStepUp(context, request);
      await checkCustomer(request, asked);
      const total = await countOf(request, { kind, asked });
      if ((kind === 'pdf' || kind === 'ubl') && total > MOST_FILES)
        throw invalid({ to: [`There are ${total} documents, and a ZIP has at most ${MOST_FILES} files. Choose fewer days.`] });
      const job: Export = {
        ...{ ...newJob(identity, clock.now()), _id: prefixed('exp', identity.commandId), queue: identity.account, total },
        ...{ kind, asked, cursor: startOf(asked), missing: [], zip: emptyZip },
      };
      const begun = await beginJob(exports, job, { type: 'export', asked: audited(request.body), identity, clock });
      waker.wake();
      return shown(begun, null);
    },

    async 'GET /console/exports/{id}'(request) {
      const job = await jobOf(exports, request.identity, request.params.id);
      const lacking = needsOf(job).permissions.find((permission) => !permits(request.identity.permissions, permission));
      if (lacking !== undefined) throw roleLacks(lacking);
      return shown(job, await links.linkTo(job));
    },

    async 'DELETE /console/exports/{id}'(request) {
      const { identity, params } = request;
      const { member } = sessionOf(request);
      const job = await stopJob(exports, { type: 'export', id: params.id, keptFor: KEPT_MS, identity, member, clock });
      waker.wake();
      return shown(job, null);
    },
  } satisfies Partial<ConsoleHandlers>;

  async function checkCustomer(request: FastifyRequest, { customer_id: id }: Asked): Promise<void> {
    if (id === undefined || (await ask(request, `/customers/${id}`)).status === 200) return;
    throw invalid({ customer_id: ['There is no such customer.'] });
  }

  /** How many documents its lists have. */
  async function countOf(request: FastifyRequest, of: Pick<Export, 'kind' | 'asked'>): Promise<number> {
    const days = { issue_from: of.asked.from, issue_to: of.asked.to, per_page: '1' };
    const counts = await Promise.all(listsOf(of).map(({ path, query }) => ask<Rows & Refusal>(request, path, { ...query, ...days })));
    return counts.reduce((sum, { status, body }) => {
      if (status !== 200) throw refusedFilter(body);
      return sum + body.meta.total;
    }, 0);
  }
}

/** What the audit says of it: no words that may be a name. */
const audited = ({ q, ...asked }: CreateExport): Record<string, unknown> => ({ ...asked, ...(q !== undefined && { q: '(a text)' }) });

interface Refusal {
  error?: { message: string; details?: Record<string, string[]> };
}

/** A list refuses what it is asked for by a query parameter. */
function refusedFilter({ error }: Refusal): DomainError {
  const [field = 'q', messages = [error?.message ?? '']] = Object.entries(error?.details ?? {})[0] ?? [];
  const named: Record<string, string> = {
    type: 'types',
    status: 'statuses',
    currency: 'currencies',
    number: 'numbers',
    issue_from: 'from',
    issue_to: 'to',
  };
  return invalid({ [named[field] ?? field]: messages });
}

function exportResource(job: Export, name: string | null, url: string | null): ExportResource {
  const { _id: id, kind, asked, missing, zip, status, next_at: end } = job;
  const isDone = status === 'succeeded';
  return {
    ...{ id, object: 'export', kind, from: asked.from, to: asked.to },
    ...jobResource(job, name),
    ...{ bytes: isDone ? sizeOf(zip) : 0, missing_count: missing.length, missing, expires_at: isDone ? iso(end) : null, url },
  };
}
