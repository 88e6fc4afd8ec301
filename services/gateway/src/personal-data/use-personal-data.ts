import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACTOR, holdsPersonalData, personalMembers } from './withheld.ts';
import { withoutMembers } from './without-members.ts';

/** Null for the personal data in an answer to one who does not see them. Add it before what keeps responses under their Idempotency-Key. */
export function usePersonalData(fastify: FastifyInstance): void {
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (!isToBeNulled(request, reply)) return done(null, payload);
    reply.removeHeader('content-length');
    const pass = withoutMembers({ names: personalMembers(), except: ACTOR });
    if (payload instanceof Readable) return done(null, throughStream(payload, pass));
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    done(null, pass(Buffer.from(payload as string)));
  });
}

function isToBeNulled({ requestContext }: FastifyRequest, reply: FastifyReply): boolean {
  const name = requestContext?.route?.name;
  return name !== undefined && requestContext?.principal.personalData === false && reply.statusCode < 300 && holdsPersonalData(name);
}

function throughStream(from: Readable, pass: (piece: Buffer) => Buffer): Readable {
  const to = new Transform({ highWaterMark: 1, transform: (piece: Buffer, _, done) => done(null, pass(piece)) });
  return pipeline(from, to, () => undefined); // an error of either destroys both
}
