import { Controller, Req } from '@nestjs/common';
import { notFound, prefixed } from '@svc/kernel';
import { listEnvelope, Serves } from '@svc/service';
import type { FastifyRequest } from 'fastify';

/** What the service behind the edge was asked to do, and what it does: tests replace `run`. */
export interface Work {
  commands: string[];
  run: (request: FastifyRequest) => Promise<object>;
  /** GET /customers, where it is not empty. */
  list?: (request: FastifyRequest) => object;
}

export const made = async ({ identity }: FastifyRequest): Promise<object> => ({
  id: prefixed('cust', identity.commandId),
  object: 'customer',
  version: 1,
});

/** A service behind the edge that serves some routes of the table and remembers under which commands it ran. */
export function stubService(work: Work): new () => object {
  @Controller()
  class StubService {
    @Serves('POST /customers')
    create(@Req() request: FastifyRequest): Promise<object> {
      work.commands.push(request.identity.commandId);
      return work.run(request);
    }

    @Serves('POST /customers/batch')
    createMany(@Req() request: FastifyRequest): Promise<object> {
      work.commands.push(request.identity.commandId);
      return work.run(request);
    }

    @Serves('GET /customers')
    async list(@Req() request: FastifyRequest): Promise<object> {
      if (work.list) return work.list(request);
      return { ...listEnvelope({ publicUrl: 'http://test', request, total: 0, data: [] }), query: request.query };
    }

    @Serves('GET /customers/{id}')
    async read(): Promise<object> {
      throw notFound('customer');
    }

    @Serves('POST /invoices/{id}/submit')
    async submit(@Req() { identity }: FastifyRequest): Promise<object> {
      return { identity };
    }

    @Serves('POST /invoices/batch/submit')
    async submitMany(@Req() { body }: FastifyRequest): Promise<object> {
      return { object: 'batch', submitted: (body as { ids: string[] }).ids.length };
    }

    @Serves('GET /reports/{report}')
    async report(): Promise<object> {
      return { object: 'report' };
    }
  }
  return StubService;
}
