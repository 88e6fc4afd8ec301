import { pipeline, Readable, Transform } from 'node:stream';
import { type Decimals, decimalsIn } from '@svc/contracts/route-decimals';
import { type RouteName, routes } from '@svc/contracts/routes';
import { nextTurn } from '@svc/kernel';
import { preferenceOf } from '@svc/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { amountsAsText } from './as-text.ts';

const APPLIED = 'preference-applied';
/** Bytes that are worked on in one turn of the event loop: some 2 ms. */
const PIECE = 64 * 1024;

/**
 * `Prefer: amounts=string`: decimals of a response are text, with all their digits. Add it before what keeps responses under their
 * Idempotency-Key, so that a repeat gets the form of the first.
 */
export function useAmounts(fastify: FastifyInstance): void {
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const decimals = wantsText(request) ? decimalsOf(request, reply) : undefined;
    if (!decimals) return done(null, payload);
    const before = reply.getHeader(APPLIED);
    reply.header(APPLIED, before === undefined ? 'amounts=string' : `${String(before)}, amounts=string`).removeHeader('content-length');
    const pass = inTurns(amountsAsText(decimals), request.identity.account);
    if (payload instanceof Readable) return done(null, throughStream(payload, pass));
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    pass(Buffer.from(payload as string)).then((text) => done(null, text), done);
  });
}

type Pass = (bytes: Buffer) => Promise<Buffer>;

const inTurns =
  (pass: (piece: Buffer) => Buffer, account: string): Pass =>
  async (bytes) => {
    const pieces = [pass(bytes.subarray(0, PIECE))];
    for (let at = PIECE; at < bytes.length; at += PIECE) {
      await nextTurn(account);
      pieces.push(pass(bytes.subarray(at, at + PIECE)));
    }
    return Buffer.concat(pieces);
  };

function throughStream(from: Readable, pass: Pass): Readable {
  const to = new Transform({
    highWaterMark: 1, // holds no more than the piece that is passed on
    transform: (piece: Buffer, _, done) => void pass(piece).then((text) => done(null, text), done),
  });
  return pipeline(from, to, () => undefined); // an error of either destroys both
}

const wantsText = (request: FastifyRequest): boolean => preferenceOf(request, 'amounts')?.toLowerCase() === 'string';

/** undefined: it has none, is an error, or is the repeat of an earlier response. */
function decimalsOf({ requestContext }: FastifyRequest, reply: FastifyReply): Decimals | undefined {
  const name = requestContext?.route?.name;
  if (name === undefined || !Object.hasOwn(routes, name) || reply.statusCode >= 300 || reply.hasHeader('idempotent-replayed'))
    return undefined;
  const decimals = decimalsIn(name as RouteName);
  return decimals.size > 0 ? decimals : undefined;
}
