import { pipeline, Readable, Transform } from 'node:stream';
import type { RouteName } from '@svc/contracts/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type NamesOf, type WithNames, withNames } from './with-names.ts';

/** Names of members of an account. */
export type AccountNames = (account: string, ids: readonly string[]) => ReturnType<NamesOf>;

/** Their answers say who did something. */
const HISTORIES: ReadonlySet<string> = new Set<RouteName>(['GET /invoices/{id}/events', 'GET /receipts/{id}/events']);

/** Names the members in the history of documents, which is stored with their ids alone. */
export function useActorNames(fastify: FastifyInstance, namesOf: AccountNames): void {
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (!isHistory(request, reply)) return done(null, payload);
    const { account } = request.identity;
    const naming = withNames((ids) => namesOf(account, ids));
    if (payload instanceof Readable) {
      reply.removeHeader('content-length');
      return done(null, throughStream(payload, naming));
    }
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    reply.removeHeader('content-length');
    naming.pass(Buffer.from(payload as string)).then((text) => done(null, Buffer.concat([text, naming.end()])), done);
  });
}

const isHistory = ({ requestContext }: FastifyRequest, reply: FastifyReply): boolean =>
  HISTORIES.has(requestContext?.route?.name ?? '') && reply.statusCode < 300;

function throughStream(from: Readable, { pass, end }: WithNames): Readable {
  const to = new Transform({
    highWaterMark: 1, // holds no more than the piece that is passed on
    transform: (piece: Buffer, _, done) => void pass(piece).then((text) => done(null, text), done),
    flush: (done) => done(null, end()),
  });
  return pipeline(from, to, () => undefined); // an error of either destroys both
}
