import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Setup } from '@svc/contracts/issuer/setup';
import type { RouteName } from '@svc/contracts/routes';
import type { Clock } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Insiders } from '../principals/inside/insiders.ts';
import { createAsk } from './ask.ts';
import { reader, wholeSetup } from './setup-handler.ts';

/**
 * `setup` of `/v1/issuer` is the same as the dashboard's: it also says whether there are a certificate and a first document, which invoicing does not know. Where
 * another service does not answer, it is what invoicing says alone.
 */
export function useWholeSetup(fastify: FastifyInstance, insiders: Insiders, clock: Pick<Clock, 'now'>): void {
  const parts = { ask: createAsk(fastify, insiders), clock };
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const { requestContext: context } = request;
    if (!context || !isIssuer(request, reply)) return done(null, payload);
    reply.removeHeader('content-length');
    const completed = async (): Promise<string> => {
      const own = await textOf(payload);
      const issuer = JSON.parse(own) as { authority: string | null; setup: Setup };
      const setup = await wholeSetup(parts, request, issuer, reader(context.principal)).catch(() => undefined);
      return setup === undefined ? own : JSON.stringify({ ...issuer, setup });
    };
    completed().then((answer) => done(null, answer), done);
  });
}

const ISSUER: ReadonlySet<string> = new Set<RouteName>(['GET /issuer', 'PATCH /issuer']);

/** Not where the gateway itself asks. */
const isIssuer = ({ requestContext, method }: FastifyRequest, reply: FastifyReply): boolean =>
  method !== 'HEAD' && ISSUER.has(requestContext?.route?.name ?? '') && requestContext?.inside !== true && reply.statusCode === 200;

/** An issuer has 64 KiB at most. */
const textOf = async (payload: unknown): Promise<string> => (payload instanceof Readable ? text(payload) : String(payload));
