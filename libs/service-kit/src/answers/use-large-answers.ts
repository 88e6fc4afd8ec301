import { Readable } from 'node:stream';
import type { Clock } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '../errors/request-id.ts';
import type { Logger } from '../logging/logger.ts';
import { JsonStream } from './json-stream.ts';
import { createPermits, type PermitLimits } from './permits.ts';

export interface AnswerLimits extends PermitLimits {
  /** A reader that takes nothing for so long is cut, within twice that time, in milliseconds. */
  stalledMs: number;
  /** So long a streamed answer may take in all, in milliseconds. */
  longestMs: number;
}

/** A permit stands for an answer in one piece, or for two pieces of a stream, of some 128 KiB or one document each: at most 1.3 MiB. */
export const usualAnswerLimits: AnswerLimits = {
  perAccount: 4,
  inAll: 32,
  waitingPerAccount: 32,
  waitingInAll: 256,
  waitMs: 10_000,
  stalledMs: 10_000,
  longestMs: 300_000,
};

/** What the machine's own buffers take is never left waiting for its reader. */
const BUFFERED = 16 * 1024;
/** Larger answers need a permit, in bytes. */
const LARGE = 64 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

class Cut extends Error {}

/**
 * Bounds what large answers hold: `JsonStream`s, and what a reading caller gets in one piece of more than 64 KiB, go out some at a time for
 * each account, the others in turn. Readers who take nothing are cut, whatever they are sent; so are streams that take too long in all. A
 * stream that was cut is logged.
 */
export function useLargeAnswers(
  fastify: FastifyInstance,
  { limits, clock, logger }: { limits: AnswerLimits; clock: Clock; logger: Logger },
): void {
  const permits = createPermits(limits, clock);

  const watch = (reply: FastifyReply, cut: () => void): void => void reply.raw.setTimeout(limits.stalledMs, cut);

  /** `send` once there is a permit, which is given back when the answer is over. */
  const inTurn = ({ identity }: FastifyRequest, { raw }: FastifyReply, send: () => void, refuse: (error: Error) => void): void => {
    permits.take(identity?.account ?? '').then((release) => {
      if (raw.destroyed || raw.closed) release();
      else raw.once('close', release);
      send();
    }, refuse);
  };

  const supervise = (request: FastifyRequest, reply: FastifyReply, stream: JsonStream): void => {
    const cancel = clock.after(limits.longestMs, () => stream.destroy(new Cut('it took too long')));
    stream.once('close', cancel).once('error', (error) => {
      const about = { request_id: requestIdOf(request, reply), account: request.identity?.account, route: request.routeOptions.url };
      if (error instanceof Cut) logger.warn({ ...about, reason: error.message }, 'an answer was cut');
      else logger.error({ ...about, err: error }, 'an answer broke off');
    });
    if (reply.raw.destroyed || reply.raw.closed) stream.destroy();
    else watch(reply, () => stream.destroy(new Cut('its reader takes nothing')));
  };

  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isWhole && payload.length <= BUFFERED) return done(null, payload);
    if (isWhole) {
      /** Not before there is a permit: who waits for one takes nothing, and is no stalled reader. */
      const send = (): void => {
        watch(reply, () => reply.raw.destroy());
        done(null, payload);
      };
      // A write was carried out: its answer is not refused. Without an identity there is no account to share with.
      if (payload.length <= LARGE || request.method !== 'GET' || !request.identity) return send();
      return inTurn(request, reply, send, (error) => {
        reply.removeHeader('etag');
        done(error);
      });
    }
    if (!(payload instanceof Readable)) return done(null, payload);
    if (!(payload instanceof JsonStream)) {
      watch(reply, () => payload.destroy(new Cut('its reader takes nothing')));
      return done(null, payload);
    }
    reply.header('content-type', JSON_TYPE);
    if (request.method === 'HEAD') {
      payload.destroy();
      return done(null, Readable.from([]));
    }
    const send = (): void => {
      supervise(request, reply, payload);
      done(null, payload);
    };
    inTurn(request, reply, send, (error) => {
      payload.destroy();
      done(error);
    });
  });
}
