import { notFound, uidOf } from '@svc/kernel';
import type { FastifyInstance } from 'fastify';
import type { Insiders } from '../principals/inside/insiders.ts';
import { createAsk } from './ask.ts';

/** A statement is of a customer that there is: reporting knows those of documents alone. */
export function useKnownCustomer(fastify: FastifyInstance, insiders: Insiders): void {
  const ask = createAsk(fastify, insiders);
  fastify.addHook('preHandler', async (request) => {
    const { requestContext: context } = request;
    if (context?.route?.name !== 'GET /customers/{id}/statement') return;
    const { id } = request.params as { id: string };
    if (uidOf('cust', id) === undefined) throw notFound('customer');
    const { status } = await ask(
      request,
      `/customers/${id}`,
      {},
      { ...context.principal, permissions: ['customers:read'], costs: new Map() },
    );
    if (status === 404) throw notFound('customer');
  });
}
