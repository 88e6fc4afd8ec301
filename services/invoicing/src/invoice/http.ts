import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SubmitDocument } from '@svc/contracts/document/submission';
import type { VoidDocument, CreateInvoice, UpdateInvoice } from '@svc/contracts/invoice/requests';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import { type RequestOf, Serves, waitSeconds, historyPage, listProjection } from '@svc/service';
import { CONTEXT, type InvoicingContext } from '../context.ts';
import { awaitOutcome } from '../document/wait.ts';
import { createInvoice } from './create.ts';
import { invoiceHistory } from './history.ts';
import type { InvoiceCall, Named } from './invoices.ts';
import { documentOrders, invoiceFilter, invoicesProjection, zoneFor } from './list.ts';
import { readInvoice } from './read.ts';
import { invoiceResource, type InvoiceResource } from './resource.ts';
import { reviseInvoice } from './revise.ts';
import { submitInvoice } from './submit.ts';
import { voidInvoice } from './void.ts';

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
const namedBy = (request: FastifyRequest): Named => ({ id: idOf(request), ifMatch: request.ifMatch });

/** What does not change by itself any more: with the authority it is over, or it waits for a person. */
const isKnown = ({ status, fiscal }: InvoiceResource): boolean => status !== 'submitting' || fiscal?.status === 'needs_review';

@Controller()
export class InvoicesController {
  constructor(
    @Inject(CONTEXT) private readonly context: InvoicingContext,
    @Inject(PROJECTIONS) private readonly projections: Projections,
  ) {}

  private call(request: FastifyRequest): InvoiceCall {
    return { context: this.context, identity: request.identity, turn: request.turn };
  }

  @Serves('POST /invoices')
  create(@Req() request: FastifyRequest) {
    return createInvoice(this.call(request), request.body as CreateInvoice);
  }

  @Serves('GET /invoices/{id}')
  read(@Req() request: FastifyRequest) {
    return readInvoice(this.call(request), idOf(request));
  }

  @Serves('PATCH /invoices/{id}')
  revise(@Req() request: FastifyRequest) {
    return reviseInvoice(this.call(request), { ...namedBy(request), body: request.body as UpdateInvoice });
  }

  @Serves('POST /invoices/{id}/submit')
  async submit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const { late_reason: lateReason = null } = request.body as SubmitDocument;
    const submitted = await submitInvoice(this.call(request), { ...namedBy(request), lateReason });
    const seconds = waitSeconds(request, reply);
    if (seconds === 0) return submitted;
    request.releasePermit();
    const look = () => readInvoice(this.call(request), idOf(request)).finally(request.releasePermit);
    return awaitOutcome({ clock: this.context.clock, seconds, first: submitted, socket: request.socket }, look, isKnown);
  }

  @Serves('POST /invoices/{id}/void')
  void(@Req() request: FastifyRequest) {
    const { reason = null } = request.body as VoidDocument;
    return voidInvoice(this.call(request), { ...namedBy(request), reason });
  }

  @Serves('GET /invoices/{id}/events')
  async history(request: RequestOf<'GET /invoices/{id}/events'>) {
    return historyPage(await invoiceHistory(this.call(request), idOf(request)), request, this.context.publicUrl);
  }

  @Serves('GET /invoices')
  async list(request: RequestOf<'GET /invoices'>) {
    const { query } = request;
    const timeZone = await zoneFor(query, this.context, request.identity);
    return listProjection({
      running: this.projections.of(invoicesProjection),
      publicUrl: this.context.publicUrl,
      request,
      filter: invoiceFilter(query, timeZone),
      orders: documentOrders,
      toResource: ({ state, version }) => invoiceResource(state, version),
    });
  }
}
