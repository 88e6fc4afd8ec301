import { Controller, Inject } from '@nestjs/common';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import { CreateInvoice } from '@svc/contracts/invoice/requests';
import { answerBatch, createEach, inOrder, Serves, type ItemContext, type RequestOf } from '@svc/service';
import type { FastifyReply } from 'fastify';
import { CONTEXT } from '../context.ts';
import type { DocumentContext } from '../document/context.ts';
import { documentRoutes } from '../document/http.ts';
import { FILES, type Files } from '../files/files.ts';
import { TERMS, type ListTerms } from '../terms/list-terms.ts';
import { answered, answeredRows, answeredText, draftFields } from './answer.ts';
import { createInvoice, invoices, invoicesProjection } from './invoices.ts';
import { listPayments, recordPayment, reversePayment } from './payments.ts';
import { explainInvoice, previewInvoice } from './preview.ts';
import { invoiceProcess } from './process.ts';
import { reviseInvoice, submitInvoice } from './write.ts';

const routed = {
  documents: invoices,
  kind: 'invoice' as const,
  projection: invoicesProjection,
  isSettled: ({ status, fiscal }: Awaited<ReturnType<typeof invoices.read>>) =>
    fiscal?.status === 'needs_review' || (status !== 'submitting' && status !== 'voiding'),
};

@Controller()
export class InvoicesController {
  private readonly routes;

  constructor(
    @Inject(CONTEXT) context: DocumentContext,
    @Inject(PROJECTIONS) projections: Projections,
    @Inject(TERMS) terms: ListTerms,
    @Inject(FILES) private readonly files: Files,
  ) {
    this.routes = documentRoutes(
      { context, projections, terms },
      { ...routed, shown: answeredRows(context, projections), answered: { of: draftFields, text: answeredText } },
    );
  }

  @Serves('POST /invoices')
  async create(request: RequestOf<'POST /invoices'>) {
    const call = { ...this.routes.call(request), answeredFrom: (from?: string) => void (request.answeredFrom = from) };
    return answered(call, await createInvoice(call, request.body));
  }

  @Serves('POST /invoices/batch')
  createEach(request: RequestOf<'POST /invoices/batch'>) {
    return createEach(request, CreateInvoice, async (body, item) => {
      const call = { ...this.routes.call(request), ...item };
      return answered(call, await createInvoice(call, body));
    });
  }

  @Serves('POST /invoices/batch/submit')
  submitEach(request: RequestOf<'POST /invoices/batch/submit'>) {
    // One after the other: a number that a later item takes would refuse an earlier one with an earlier date for ever.
    const submit = inOrder((id: string, item: ItemContext) =>
      submitInvoice({ ...this.routes.call(request), ...item }, { id, ifMatch: undefined, lateReason: null }),
    );
    return answerBatch(request, { items: request.body.ids, ok: 200, run: submit });
  }

  @Serves('POST /invoices/preview')
  preview(request: RequestOf<'POST /invoices/preview'>) {
    const preview = request.query.explain ? explainInvoice : previewInvoice;
    return preview(this.routes.call(request), request.body);
  }

  @Serves('GET /invoices/{id}')
  read(request: RequestOf<'GET /invoices/{id}'>) {
    return this.routes.read(request);
  }

  @Serves('PATCH /invoices/{id}')
  async revise(request: RequestOf<'PATCH /invoices/{id}'>) {
    const call = this.routes.call(request);
    return answered(call, await reviseInvoice(call, { ...this.routes.named(request), body: request.body }));
  }

  @Serves('POST /invoices/{id}/submit')
  async submit(request: RequestOf<'POST /invoices/{id}/submit'>, reply: FastifyReply) {
    const { late_reason: lateReason = null } = request.body;
    const submitted = await submitInvoice(this.routes.call(request), { ...this.routes.named(request), lateReason });
    return this.routes.settled(submitted, request, reply);
  }

  @Serves('POST /invoices/{id}/void')
  async void(request: RequestOf<'POST /invoices/{id}/void'>, reply: FastifyReply) {
    const { reason = null } = request.body;
    const asked = await invoiceProcess.void(this.routes.call(request), { ...this.routes.named(request), reason });
    return this.routes.settled(asked, request, reply);
  }

  @Serves('GET /invoices/{id}/payments')
  payments(request: RequestOf<'GET /invoices/{id}/payments'>) {
    return listPayments(this.routes.call(request), request.params.id, request);
  }

  @Serves('POST /invoices/{id}/payments')
  recordPayment(request: RequestOf<'POST /invoices/{id}/payments'>) {
    return recordPayment(this.routes.call(request), { ...this.routes.named(request), body: request.body });
  }

  @Serves('DELETE /invoices/{id}/payments/{pay}')
  reversePayment(request: RequestOf<'DELETE /invoices/{id}/payments/{pay}'>) {
    return reversePayment(this.routes.call(request), { ...this.routes.named(request), payment: request.params.pay });
  }

  @Serves('GET /invoices/{id}/events')
  history(request: RequestOf<'GET /invoices/{id}/events'>) {
    return this.routes.history(request);
  }

  @Serves('GET /invoices/{id}/pdf')
  pdf(request: RequestOf<'GET /invoices/{id}/pdf'>) {
    return this.files.pdf(this.routes.call(request), 'invoice', request.params.id);
  }

  @Serves('GET /invoices/{id}/ubl')
  ubl(request: RequestOf<'GET /invoices/{id}/ubl'>) {
    return this.files.ubl(this.routes.call(request), request.params.id);
  }

  @Serves('GET /invoices')
  list(request: RequestOf<'GET /invoices'>) {
    return this.routes.list(request);
  }
}
