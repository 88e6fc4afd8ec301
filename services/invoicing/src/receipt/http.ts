import { Controller, Inject } from '@nestjs/common';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import { Serves, type RequestOf } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { CONTEXT } from '../context.ts';
import type { DocumentContext } from '../document/context.ts';
import { documentRoutes } from '../document/http.ts';
import type { DocumentsQuery } from '../document/list.ts';
import { FILES, type Files } from '../files/files.ts';
import { TERMS, type ListTerms } from '../terms/list-terms.ts';
import { isSettled } from './domain/is-settled.ts';
import { createReceipt, resubmitReceipt, checkVoidOwn } from './write.ts';
import { receiptProcess } from './process.ts';
import { receipts, receiptsProjection } from './receipts.ts';

const routed = {
  documents: receipts,
  kind: 'receipt' as const,
  projection: receiptsProjection,
  // What a sale was called before receipts had types of their own.
  filtersOf: ({ type, ...query }: DocumentsQuery): DocumentsQuery => ({
    ...query,
    ...(type && { type: type.map((one) => (one === 'standard' ? 'receipt' : one)) }),
  }),
};

@Controller()
export class ReceiptsController {
  private readonly routes;

  constructor(
    @Inject(CONTEXT) context: DocumentContext,
    @Inject(PROJECTIONS) projections: Projections,
    @Inject(TERMS) terms: ListTerms,
    @Inject(FILES) private readonly files: Files,
  ) {
    this.routes = documentRoutes(
      { context, projections, terms },
      {
        ...routed,
        isSettled: (receipt: Awaited<ReturnType<typeof receipts.read>>) => isSettled(receipt, context.away.isAway(receipt)),
      },
    );
  }

  @Serves('POST /receipts')
  async create(request: RequestOf<'POST /receipts'>, reply: FastifyReply) {
    return this.routes.settled(await createReceipt(this.routes.call(request), request.body), request, reply);
  }

  @Serves('GET /receipts/{id}')
  read(request: RequestOf<'GET /receipts/{id}'>) {
    return this.routes.read(request);
  }

  @Serves('POST /receipts/{id}/void')
  async void(request: RequestOf<'POST /receipts/{id}/void'>, reply: FastifyReply) {
    await checkVoidOwn(this.routes.call(request), request.params.id);
    const asked = await receiptProcess.void(this.routes.call(request), { ...this.routes.named(request), ...request.body });
    return this.routes.settled(asked, request, reply);
  }

  @Serves('POST /receipts/{id}/resubmit')
  async resubmit(request: RequestOf<'POST /receipts/{id}/resubmit'>, reply: FastifyReply) {
    const { late_reason: lateReason = null } = request.body;
    const resubmitted = await resubmitReceipt(this.routes.call(request), { ...this.routes.named(request), lateReason });
    return this.routes.settled(resubmitted, request, reply);
  }

  @Serves('GET /receipts/{id}/events')
  history(request: RequestOf<'GET /receipts/{id}/events'>) {
    return this.routes.history(request);
  }

  @Serves('GET /receipts/{id}/pdf')
  pdf(request: RequestOf<'GET /receipts/{id}/pdf'>) {
    return this.files.pdf(this.routes.call(request), 'receipt', request.params.id);
  }

  @Serves('GET /receipts')
  list(request: RequestOf<'GET /receipts'>) {
    return this.routes.list(request);
  }
}
