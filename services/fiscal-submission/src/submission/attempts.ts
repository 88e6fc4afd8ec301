import { Controller, Inject, type Type } from '@nestjs/common';
import { type DocumentKind, documents } from '@svc/contracts/documents';
import { PROGRESS_HEADER, progressText } from '@svc/contracts/document/progress';
import type { AttemptEntry } from '@svc/contracts/document/submission';
import { notFound, type Prefix } from '@svc/kernel';
import { type Identity, listEnvelope, type RequestOf, Serves } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { CONTEXT, type Context } from './context.ts';
import type { ResultKind } from './domain/facts.ts';
import type { Attempt, Known } from './domain/state.ts';
import { progressOf } from './progress.ts';
import { readSubmission } from './submissions.ts';

/** Serves the attempts of one document. */
export function attemptsController(kind: DocumentKind): Type {
  @Controller()
  class AttemptsController {
    constructor(@Inject(CONTEXT) readonly context: Context) {}

    @Serves(`GET /${kind}s/{id}/attempts`)
    async list(request: RequestOf<'GET /invoices/{id}/attempts'>, reply: FastifyReply) {
      const { page = 1, per_page = 20 } = request.query;
      const { identity, params } = request;
      const { rows, statusOf, publicUrl } = this.context;
      const state = await submissionOf(this.context, identity, documents[kind].prefix, params.id);
      if (!statusOf) reply.header(PROGRESS_HEADER, progressText(progressOf(state, await rows.get(params.id))));
      const data = state.attempts.slice((page - 1) * per_page, page * per_page).map(attemptEntry);
      return listEnvelope({ publicUrl, request, total: state.attempts.length, data });
    }
  }
  return AttemptsController;
}

/** Throws `not_found` for a document that was not submitted. */
async function submissionOf({ streams }: Pick<Context, 'streams'>, { env, account }: Identity, prefix: Prefix, id: string): Promise<Known> {
  const state = id.startsWith(`${prefix}_`) ? await readSubmission(streams, env, account, id) : undefined;
  if (!state || state.status === 'none') throw notFound('submission');
  return state;
}

/** One attempt as the API shows it. */
export const attemptEntry = ({ n, at, kind, message_id, request_sha256, warnings, ended }: Attempt): AttemptEntry => ({
  n,
  at,
  duration_ms: ended?.duration_ms ?? null,
  kind,
  outcome: ended && outcomes[ended.verdict],
  message_id,
  request_sha256,
  http_status: ended?.http_status ?? null,
  error: ended?.error ?? null,
  ...(warnings && { warnings }),
});

const outcomes: Record<ResultKind, AttemptEntry['outcome']> = {
  registered: 'registered',
  cancelled: 'registered',
  rejected: 'rejected',
  foreign: 'rejected',
  refused: 'rejected',
  absent: 'deferred', // The query reported that nothing was processed.
  deferred: 'deferred',
  unknown: 'unknown',
};
