import { Controller, Inject, type Type } from '@nestjs/common';
import { type DocumentKind, documents } from '@svc/contracts/documents';
import type { SubmissionResource } from '@svc/contracts/document/submission';
import { compareAndSet } from '@svc/document-store';
import { noDoubt } from '@svc/contracts/document/no-doubt';
import { DomainError, iso, notFound, type EventMetadata } from '@svc/kernel';
import { type Identity, type RequestOf, Serves } from '@svc/service';
import { CONTEXT, type Context, type StatusOf } from './context.ts';
import type { Resolution } from './domain/facts.ts';
import { CLAIM_MS, type Row } from './row.ts';
import { submissionStream } from './streams.ts';
import { WORKER, type Worker } from './worker.ts';

/** Takes by hand the outcome of one document's submission in doubt. */
export function resolveController(kind: DocumentKind): Type {
  @Controller()
  class ResolveController {
    constructor(
      @Inject(CONTEXT) readonly context: Context,
      @Inject(WORKER) readonly worker: Worker,
    ) {}

    @Serves(`POST /${kind}s/{id}/resolve`)
    async resolve({ identity, params: { id }, body }: RequestOf<'POST /invoices/{id}/resolve'>): Promise<SubmissionResource> {
      if (!id.startsWith(`${documents[kind].prefix}_`)) throw notFound('submission');
      const { outcome, code = '', note } = body;
      const resolution: Resolution = outcome === 'registered' ? { outcome, code, note } : { outcome, note };
      const row = await resolveSubmission(this.context, identity, { id, resolution }).catch((error: unknown) =>
        neverSubmitted(this.context, { ...identity, kind, id }, error),
      );
      if (row) this.worker.take([row]);
      return { object: 'submission', document_id: id, status: outcome };
    }
  }
  return ResolveController;
}

/**
 * Ends the doubt, and returns the row as claimed by the caller: a cancellation may wait for the outcome. It is claimed first, so that it comes back by itself
 * when the process dies. Throws not_found, invalid_state; a repeat of the same command changes nothing.
 */
export async function resolveSubmission(
  { submissions, rows, clock }: Pick<Context, 'submissions' | 'rows' | 'clock'>,
  identity: Identity,
  { id, resolution }: { id: string; resolution: Resolution },
): Promise<Row | undefined> {
  const stream = submissionStream(identity.env, identity.account, id);
  const command = { do: 'resolve' as const, resolution, at: iso(clock.now()) };
  let row: Row | undefined;
  await submissions.handle(
    stream,
    async ({ status }) => {
      if (status === 'unknown' || status === 'needs_review') row ??= await claim(rows, clock.now(), id);
      return command;
    },
    metadataOf(identity),
  );
  return row;
}

/** A document that was never submitted is refused by its status, where this process has the documents. */
async function neverSubmitted({ statusOf }: Context, document: Parameters<StatusOf>[0], error: unknown): Promise<never> {
  if (statusOf && error instanceof DomainError && error.code === 'not_found') throw noDoubt(await statusOf(document));
  throw error;
}

async function claim(rows: Context['rows'], now: number, id: string): Promise<Row | undefined> {
  const { doc } = await compareAndSet(rows, id, { absent: () => undefined, change: () => ({ due_at: now + CLAIM_MS }), tries: 20 });
  return doc;
}

const metadataOf = ({ account, env, commandId, requestId, actor, traceparent }: Identity): Omit<EventMetadata, 'v'> => ({
  ...{ account, env, command_id: commandId, request_id: requestId, actor },
  ...(traceparent === undefined ? {} : { traceparent }),
});
