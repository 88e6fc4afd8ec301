import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type Clock, nextTurn, DomainError, type Turn } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '../errors/request-id.ts';
import type { Logger } from '../logging/logger.ts';
import { JsonStream } from './json-stream.ts';
import { Pace, type PaceLimits } from './pace.ts';
import { createPermits, type Permit, type PermitLimits } from './permits.ts';
import { createUnread, type UnreadLimits } from './unread.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Awaited before each piece of the work on an answer, with the stored bytes that the piece is made of: pieces are made one at a time,
     * for accounts in rotation. What reads more than 64 KiB in all has a permit from there on, until its answer is made and taken. Throws
     * `service_unavailable` where there is none, or where the caller has gone.
     */
    turn: Turn;
    /** Gives the permit back before the answer is made, for work that goes on without: while the caller waits for an outcome. */
    releasePermit(): void;
  }
}

export interface AnswerLimits extends PermitLimits, UnreadLimits, PaceLimits {
  /** A reader that takes nothing for so long is cut, within twice that time, in milliseconds. */
  stalledMs: number;
  /** So long an answer may be under way in all, in milliseconds. */
  longestMs: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** A permit stands for two pieces of a stream, of some 128 KiB or one document each: at most 1.3 MiB. */
export const usualAnswerLimits: AnswerLimits = {
  perAccount: 4,
  inAll: 32,
  waitingPerAccount: 32,
  waitingInAll: 256,
  waitMs: 10_000,
  unreadPerAccount: 16 * MIB,
  unreadInAll: 64 * MIB,
  graceMs: 5_000,
  leastRate: 256 * KIB,
  stalledMs: 10_000,
  longestMs: 300_000,
};

/** What the machine's own buffers take is never left waiting for its reader. */
const BUFFERED = 16 * KIB;
/** More work than this needs a permit, in stored bytes. */
const LARGE = 64 * KIB;
const JSON_TYPE = 'application/json; charset=utf-8';

class Cut extends Error {}

/**
 * Bounds what large answers hold, for each account and in all. Answers that are made while they are taken (`JsonStream`) need a permit. Answers
 * in one piece are counted in bytes until they are taken: an account that has half of its bytes under way needs a permit for whatever it
 * asks next, before it is carried out; what was carried out is answered, and where that is too much the oldest answer is cut. Readers who
 * take nothing, or take too long in all, are cut. Each cut is logged.
 */
export function useLargeAnswers(
  fastify: FastifyInstance,
  { limits, clock, logger }: { limits: AnswerLimits; clock: Clock; logger: Logger },
): void {
  const [permits, places] = [createPermits(limits, clock), createPermits(limits, clock)];
  const unread = createUnread(limits);
  const permitsTaken = new WeakMap<FastifyRequest, Promise<Permit>>();

  const permitFor = (request: FastifyRequest, reply: FastifyReply): Promise<Permit> => {
    const taken = permitsTaken.get(request) ?? permits.take(accountOf(request)).then((permit) => untilOver(permit, reply));
    permitsTaken.set(request, taken);
    return taken;
  };

  /** What cuts the answer; its reader may do so by itself. */
  const supervise = (request: FastifyRequest, reply: FastifyReply, end: (cut: Cut) => void): ((reason: string) => void) => {
    const cut = (reason: string): void => {
      if (isOver(reply)) return;
      logger.warn({ ...about(request, reply), reason }, 'an answer was cut');
      end(new Cut(reason));
      request.raw.socket.destroy(); // also where the answer waits behind another one of its connection
    };
    reply.raw.once(
      'close',
      clock.after(limits.longestMs, () => cut('it took too long')),
    );
    reply.raw.setTimeout(limits.stalledMs, () => cut('its reader takes nothing'));
    // The time is the socket's: it must not go on for the next answer, which takes the socket over in Node's own listener of this event.
    reply.raw.prependOnceListener('finish', () => {
      if (reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(0);
    });
    return cut;
  };

  const countWhole = (request: FastifyRequest, reply: FastifyReply, bytes: number): void => {
    if (isOver(reply)) return;
    const cut = supervise(request, reply, () => undefined);
    if (!request.identity) return; // there is no account to share with
    reply.raw.once(
      'close',
      unread.add(accountOf(request), bytes, () => cut('its account takes too few of its answers')),
    );
  };

  const sendStream = (request: FastifyRequest, reply: FastifyReply, stream: JsonStream, permit: Permit): void => {
    stream.once('error', (error) => {
      if (!(error instanceof Cut)) logger.error({ ...about(request, reply), err: error }, 'an answer broke off');
    });
    if (isOver(reply)) return void stream.destroy();
    const pace = new Pace(limits, clock);
    const cut = supervise(request, reply, (error) => stream.destroy(error));
    permit.reader = { behindMs: () => pace.behindMs(), end: () => cut('it is taken slowly, and others wait') };
    stream.sendTo(accountOf(request), pace);
  };

  const giveBack = (request: FastifyRequest, reply: FastifyReply): void => {
    permitsTaken.get(request)?.then(({ release }) => {
      reply.raw.off('close', release);
      release();
    }, ignore);
    permitsTaken.delete(request);
  };

  fastify.decorateRequest('turn', undefined as never);
  fastify.decorateRequest('releasePermit', undefined as never);
  fastify.addHook('preHandler', (request, reply, done) => {
    let work = 0;
    request.turn = async (bytes) => {
      work += bytes;
      if (work > LARGE) await permitFor(request, reply);
      if (isOver(reply)) throw new DomainError('service_unavailable', 'The caller has gone.');
      await nextTurn(accountOf(request));
    };
    request.releasePermit = () => {
      work = 0;
      giveBack(request, reply);
    };
    if (unread.of(accountOf(request)) < limits.unreadPerAccount / 2) return done();
    places.take(accountOf(request)).then((permit) => {
      untilOver(permit, reply);
      done();
    }, done);
  });

  fastify.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (payload instanceof JsonStream) {
      reply.header('content-type', JSON_TYPE);
      if (request.method === 'HEAD') {
        payload.destroy();
        return done(null, Readable.from([]));
      }
      return void permitFor(request, reply).then(
        (permit) => {
          sendStream(request, reply, payload, permit);
          done(null, payload);
        },
        (error: Error) => {
          payload.destroy();
          done(error);
        },
      );
    }
    if (payload instanceof Readable) {
      if (!isOver(reply)) supervise(request, reply, (cut) => payload.destroy(cut));
      return done(null, payload);
    }
    giveBack(request, reply); // it is made
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || payload.length <= BUFFERED) return done(null, payload);
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload; // a string would be held beside its bytes
    countWhole(request, reply, bytes.length);
    done(null, bytes);
  });

  const about = (request: FastifyRequest, reply: FastifyReply): object => ({
    request_id: requestIdOf(request, reply),
    account: request.identity?.account,
    route: request.routeOptions.url,
  });
}

const accountOf = ({ identity }: FastifyRequest): string => identity?.account ?? '';
const isOver = ({ raw }: FastifyReply): boolean => raw.destroyed || raw.closed;
const ignore = (): void => undefined;

function untilOver(permit: Permit, reply: FastifyReply): Permit {
  if (isOver(reply)) permit.release();
  else reply.raw.once('close', permit.release);
  return permit;
}
