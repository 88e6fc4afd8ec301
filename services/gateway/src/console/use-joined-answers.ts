import { notFound, uidOf, type Clock } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Insiders } from '../principals/inside/ask-inside.ts';
import type { Principal } from '../principals/principal.ts';
import { type Ask, createAsk } from './ask.ts';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RouteName } from '@svc/contracts/routes';
import { type Issuer, reader, type SetupParts, wholeSetup } from './setup-handler.ts';

/** Answers of the interface that need another service than the one whose route it is. For an app with `useEdge`. */
export function useJoinedAnswers(fastify: FastifyInstance, insiders: Insiders, clock: Pick<Clock, 'now'>): void {
  const ask = createAsk(fastify, insiders);
  fastify.addHook('preHandler', (request, _reply, done) => {
    const { requestContext: context } = request;
    if (context?.route?.name !== 'GET /customers/{id}/statement') return done();
    checkCustomer(ask, request, context.principal).then(() => done(), done);
  });
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const { requestContext: context } = request;
    if (!context || !isIssuer(request, reply)) return done(null, payload);
    reply.removeHeader('content-length');
    completed({ ask, clock }, request, context.principal, payload).then((answer) => done(null, answer), done);
  });
}

/** A statement is of a customer that there is: reporting knows those of documents alone. Throws not_found. */
async function checkCustomer(ask: Ask, request: FastifyRequest, principal: Principal): Promise<void> {
  const { id } = request.params as { id: string };
  if (uidOf('cust', id) === undefined) throw notFound('customer');
  const { status } = await ask(request, `/customers/${id}`, {}, { ...principal, permissions: ['customers:read'], costs: new Map() });
  if (status === 404) throw notFound('customer');
}

const ISSUER: ReadonlySet<string> = new Set<RouteName>(['GET /issuer', 'PATCH /issuer']);

/** Not where the gateway itself asks. */
const isIssuer = ({ requestContext, method }: FastifyRequest, reply: FastifyReply): boolean =>
  method !== 'HEAD' && ISSUER.has(requestContext?.route?.name ?? '') && requestContext?.inside !== true && reply.statusCode === 200;

/**
 * `setup` of `/v1/issuer` is the same as the dashboard's: it also says whether there are a certificate and a first document, which invoicing does not know. Where
 * another service does not answer, it is what invoicing says alone. An issuer has 64 KiB at most.
 */
async function completed(parts: SetupParts, request: FastifyRequest, principal: Principal, payload: unknown): Promise<string> {
  const own = await (payload instanceof Readable ? text(payload) : String(payload));
  const issuer = JSON.parse(own) as Issuer;
  const setup = await wholeSetup(parts, request, issuer, reader(principal)).catch(() => undefined);
  return setup === undefined ? own : JSON.stringify({ ...issuer, setup });
}
