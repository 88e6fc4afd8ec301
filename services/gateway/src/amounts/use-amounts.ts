import { pipeline, Readable } from 'node:stream';
import { decimalsIn } from '@svc/contracts/http/decimals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { amountsAsText, amountsAsTextStream } from './as-text.ts';

const APPLIED = 'preference-applied';
/** Of several the first counts (RFC 7240, 2). */
const AMOUNTS = /(?:^|,)\s*amounts\s*=\s*"?([^",;\s]*)/i;

/**
 * `Prefer: amounts=string`: decimals of a response are text, with the digits that they have as numbers. Add it before what keeps responses under their
 * Idempotency-Key, so that a repeat gets the form of the first.
 */
export function useAmounts(fastify: FastifyInstance): void {
  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const decimals = wantsText(request) ? decimalsOf(request, reply) : undefined;
    if (!decimals) return done(null, payload);
    const before = reply.getHeader(APPLIED);
    reply.header(APPLIED, before === undefined ? 'amounts=string' : `${String(before)}, amounts=string`).removeHeader('content-length');
    if (payload instanceof Readable) {
      const text = amountsAsTextStream(decimals);
      pipeline(payload, text, () => undefined); // an error of either destroys both
      return done(null, text);
    }
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    done(null, isText ? amountsAsText(decimals)(Buffer.from(payload as string)) : payload);
  });
}

const wantsText = ({ headers: { prefer } }: FastifyRequest): boolean =>
  prefer !== undefined && AMOUNTS.exec(String(prefer))?.[1]?.toLowerCase() === 'string';

/** undefined: it has none, is an error, or is the repeat of an earlier response. */
function decimalsOf({ requestContext }: FastifyRequest, reply: FastifyReply): ReadonlySet<string> | undefined {
  const name = requestContext?.route?.name;
  if (name === undefined || reply.statusCode >= 300 || reply.hasHeader('idempotent-replayed')) return undefined;
  const decimals = decimalsIn(name);
  return decimals.size > 0 ? decimals : undefined;
}
