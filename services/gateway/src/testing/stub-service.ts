import { Controller } from '@nestjs/common';
import { notFound, prefixed } from '@svc/kernel';
import { listEnvelope, type RequestOf, Serves } from '@svc/service';
import type { FastifyRequest } from 'fastify';

/** Command ids that the stub service received, and its behaviour. Tests replace `run`. */
export interface Work {
  commands: string[];
  run: (request: FastifyRequest) => Promise<object>;
  /** Before `run` of POST /customers, where the service has a store. */
  append?: (request: FastifyRequest) => Promise<void>;
  /** Handler of a submission in place of the stub's. */
  submit?: (request: FastifyRequest<{ Params: { id: string } }>) => object | Promise<object>;
  /** In the answer of a submission. */
  note?: string;
  /** Handler of GET /customers and GET /products; by default the list is empty. */
  list?: (request: RequestOf<'GET /customers' | 'GET /products'>) => object;
}

export const made = async ({ identity }: FastifyRequest): Promise<object> => ({
  id: prefixed('cust', identity.commandId),
  object: 'customer',
  version: 1,
});

/** A controller that serves some routes of the table and records the command ids of its writes. */
export function stubService(work: Work): new () => object {
  @Controller()
  class StubService {
    @Serves('POST /customers')
    async create(request: FastifyRequest) {
      work.commands.push(request.identity.commandId);
      await work.append?.(request);
      return work.run(request) as Promise<never>;
    }

    @Serves('POST /customers/batch')
    createMany(request: FastifyRequest) {
      work.commands.push(request.identity.commandId);
      return work.run(request) as Promise<never>;
    }

    @Serves('GET /customers')
    async list(request: RequestOf<'GET /customers'>) {
      if (work.list) return work.list(request) as never;
      return { ...listEnvelope({ publicUrl: 'http://test', request, total: 0, data: [] }), query: request.query };
    }

    @Serves('GET /products')
    async products(request: RequestOf<'GET /products'>) {
      return (work.list?.(request) ?? listEnvelope({ publicUrl: 'http://test', request, total: 0, data: [] })) as never;
    }

    @Serves('GET /customers/{id}')
    async read(): Promise<never> {
      throw notFound('customer');
    }

    @Serves('GET /invoices/{id}')
    readInvoice(request: FastifyRequest) {
      return work.run(request) as Promise<never>;
    }

    @Serves('GET /invoices/{id}/payments')
    async payments(request: RequestOf<'GET /invoices/{id}/payments'>) {
      return listEnvelope({ publicUrl: 'http://test', request, total: 0, data: [] }) as never;
    }

    @Serves('POST /invoices/preview')
    async preview({ query: { explain = false } }: RequestOf<'POST /invoices/preview'>) {
      return { object: 'invoice_preview', explained: explain, total: 12.5 } as never;
    }

    @Serves('POST /invoices/{id}/submit')
    async submit(request: FastifyRequest<{ Params: { id: string } }>) {
      return (work.submit ? await work.submit(request) : { identity: request.identity, note: work.note }) as never;
    }

    @Serves('POST /invoices/batch/submit')
    async submitMany({ body }: RequestOf<'POST /invoices/batch/submit'>) {
      return { object: 'batch', submitted: body.ids.length } as never;
    }

    @Serves('GET /reports/{report}')
    async report() {
      return { object: 'report' } as never;
    }
  }
  return StubService;
}
