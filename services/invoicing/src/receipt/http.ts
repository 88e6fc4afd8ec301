import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VoidReceipt, CreateReceipt } from '@svc/contracts/receipt/requests';
import { PROJECTIONS, type Projections } from '@svc/event-store';
import { type RequestOf, Serves, waitSeconds, historyPage, listProjection } from '@svc/service';
import { CONTEXT, type InvoicingContext } from '../context.ts';
import { awaitOutcome } from '../document/wait.ts';
import { documentOrders, zoneFor } from '../invoice/list.ts';
import { createReceipt } from './create.ts';
import { receiptHistory } from './history.ts';
import { receiptFilter, receiptsProjection } from './list.ts';
import { readReceipt } from './read.ts';
import type { Named, ReceiptCall } from './receipts.ts';
import { receiptResource, receiptVersion, type ReceiptResource } from './resource.ts';
import { resubmitReceipt } from './resubmit.ts';
import { voidReceipt } from './void.ts';

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
const namedBy = (request: FastifyRequest): Named => ({ id: idOf(request), ifMatch: request.ifMatch });

/** What does not change by itself any more: with the authority it is over, or it waits for a person. */
const isKnown = ({ fiscal }: ReceiptResource): boolean => fiscal.status !== 'pending' && fiscal.status !== 'unknown';

@Controller()
export class ReceiptsController {
  constructor(
    @Inject(CONTEXT) private readonly context: InvoicingContext,
    @Inject(PROJECTIONS) private readonly projections: Projections,
  ) {}

  private call(request: FastifyRequest): ReceiptCall {
    return { context: this.context, identity: request.identity, turn: request.turn };
  }

  /** The till can wait for the fiscal code. */
  private async settled(receipt: ReceiptResource, request: FastifyRequest, reply: FastifyReply): Promise<ReceiptResource> {
    const seconds = waitSeconds(request, reply);
    if (seconds === 0) return receipt;
    request.releasePermit();
    const look = () => readReceipt(this.call(request), receipt.id).finally(request.releasePermit);
    return awaitOutcome({ clock: this.context.clock, seconds, first: receipt, socket: request.socket }, look, isKnown);
  }

  @Serves('POST /receipts')
  async create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.settled(await createReceipt(this.call(request), request.body as CreateReceipt), request, reply);
  }

  @Serves('GET /receipts/{id}')
  read(@Req() request: FastifyRequest) {
    return readReceipt(this.call(request), idOf(request));
  }

  @Serves('POST /receipts/{id}/void')
  void(@Req() request: FastifyRequest) {
    const { reason } = request.body as VoidReceipt;
    return voidReceipt(this.call(request), { ...namedBy(request), reason });
  }

  @Serves('POST /receipts/{id}/resubmit')
  async resubmit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.settled(await resubmitReceipt(this.call(request), namedBy(request)), request, reply);
  }

  @Serves('GET /receipts/{id}/events')
  async history(request: RequestOf<'GET /receipts/{id}/events'>) {
    return historyPage(await receiptHistory(this.call(request), idOf(request)), request, this.context.publicUrl);
  }

  @Serves('GET /receipts')
  async list(request: RequestOf<'GET /receipts'>) {
    const { query } = request;
    const timeZone = await zoneFor(query, this.context, request.identity);
    return listProjection({
      running: this.projections.of(receiptsProjection),
      publicUrl: this.context.publicUrl,
      request,
      filter: receiptFilter(query, timeZone),
      orders: documentOrders,
      toResource: ({ state, version }) => receiptResource(state, receiptVersion(version)),
    });
  }
}
