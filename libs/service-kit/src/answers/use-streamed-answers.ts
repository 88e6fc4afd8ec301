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

/** A permit stands for two pieces in memory, of some 128 KiB or one document each: at most some 1.3 MiB. */
export const usualAnswerLimits: AnswerLimits = {
  perAccount: 4,
  inAll: 32,
  waitingPerAccount: 32,
  waitingInAll: 512,
  waitMs: 10_000,
  stalledMs: 10_000,
  longestMs: 300_000,
};

/** What the machine's own buffers take is never left waiting for its reader. */
const BUFFERED = 16 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

class Cut extends Error {}

/**
 * Sends `JsonStream`s, some for each account at once, the others in turn. Readers who take nothing are cut, whatever they were sent; so are
 * streams that take too long in all. What was cut is logged.
 */
export function useStreamedAnswers(
  fastify: FastifyInstance,
  { limits, clock, logger }: { limits: AnswerLimits; clock: Clock; logger: Logger },
): void {
  const permits = createPermits(limits, clock);

  const watch = (reply: FastifyReply, cut: () => void): void => void reply.raw.setTimeout(limits.stalledMs, cut);

  const begin = (request: FastifyRequest, reply: FastifyReply, stream: JsonStream, release: () => void): void => {
    const { raw } = reply;
    const cancel = clock.after(limits.longestMs, () => stream.destroy(new Cut('it took too long')));
    raw.once('close', release);
    stream.once('close', cancel).once('error', (error) => {
      const about = { request_id: requestIdOf(request, reply), account: request.identity?.account, route: request.routeOptions.url };
      if (error instanceof Cut) logger.warn({ ...about, reason: error.message }, 'an answer was cut');
      else logger.error({ ...about, err: error }, 'an answer broke off');
    });
    if (!raw.destroyed && !raw.closed) return watch(reply, () => stream.destroy(new Cut('its reader takes nothing')));
    release();
    stream.destroy();
  };

  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      if (payload.length > BUFFERED) watch(reply, () => reply.raw.destroy());
      return done(null, payload);
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
    permits.take(request.identity?.account ?? '').then(
      (release) => {
        begin(request, reply, payload, release);
        done(null, payload);
      },
      (error: Error) => {
        payload.destroy();
        done(error);
      },
    );
  });
}
