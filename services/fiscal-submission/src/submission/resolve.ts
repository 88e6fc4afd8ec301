import { Controller, Inject, type Type } from '@nestjs/common';
import { type DocumentKind, documents } from '@svc/contracts/documents';
import type { SubmissionResource } from '@svc/contracts/document/submission';
import { compareAndSet } from '@svc/document-store';
import { noDoubt, saysInDoubt } from '@svc/contracts/document/no-doubt';
import { DomainError, invalid, iso, notFound } from '@svc/kernel';
import { type Identity, metadataOf, type RequestOf, Serves } from '@svc/service';
import type { Authority } from './authority.ts';
import { CONTEXT, type Context, type StatusOf } from './context.ts';
import type { Resolution } from './domain/facts.ts';
import { CLAIM_MS, type Row } from './row.ts';
import { submissionStream } from './submissions.ts';
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
        refusedByStatus(this.context, { ...identity, kind, id }, error),
      );
      if (row) this.worker.take([row]);
      return { object: 'submission', document_id: id, status: outcome };
    }
  }
  return ResolveController;
}

/**
 * Ends the doubt, and returns the row as claimed by the caller: a cancellation may wait for the outcome. It is claimed first, so that it comes back by itself
 * when the process dies. Throws validation_error for a code that its authority gives none of, not_found, invalid_state; a repeat of the same command changes nothing.
 */
export async function resolveSubmission(
  { submissions, rows, clock, authorities }: Pick<Context, 'submissions' | 'rows' | 'clock' | 'authorities'>,
  identity: Identity,
  { id, resolution }: { id: string; resolution: Resolution },
): Promise<Row | undefined> {
  const stream = submissionStream(identity.env, identity.account, id);
  const command = { do: 'resolve' as const, resolution, at: iso(clock.now()) };
  let row: Row | undefined;
  await submissions.handle(
    stream,
    async (state) => {
      if (state.status === 'unknown' || state.status === 'needs_review') {
        checkCode(authorities[identity.env].get(state.authority), resolution);
        row ??= await claim(rows, clock.now(), id);
      }
      return command;
    },
    metadataOf(identity),
  );
  return row;
}

function checkCode(authority: Authority | undefined, resolution: Resolution): void {
  const form = authority?.codeForm;
  if (!form || resolution.outcome !== 'registered' || form.pattern.test(resolution.code)) return;
  throw invalid({ code: [`is no fiscal code of ${authority.id}: send the one that it shows, ${form.words}.`] });
}

const refusals: readonly string[] = ['not_found', 'invalid_state'];

/**
 * Where this process has the documents, a refusal names the status of the document: it may never have been submitted, or its voiding be on the bus. The
 * refusal stands where the document still says that it is in doubt.
 */
async function refusedByStatus({ statusOf }: Context, document: Parameters<StatusOf>[0], error: unknown): Promise<never> {
  if (!statusOf || !(error instanceof DomainError && refusals.includes(error.code))) throw error;
  const status = await statusOf(document);
  throw saysInDoubt(status) ? error : noDoubt(status);
}

async function claim(rows: Context['rows'], now: number, id: string): Promise<Row | undefined> {
  const { doc } = await compareAndSet(rows, id, { absent: () => undefined, change: () => ({ due_at: now + CLAIM_MS }), tries: 20 });
  return doc;
}
