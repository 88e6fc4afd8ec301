import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { PageQuery } from '@svc/contracts/http/page';
import { routeNames, routes } from '@svc/contracts/routes';
import { type Clock, nextTurn, DomainError, type Turn } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '../errors/request-id.ts';
import type { Logger } from '../logging/logger.ts';
import { JsonStream } from './json-stream.ts';
import type { AnswerLimits } from './answer-limits.ts';
import { Pace } from './pace.ts';
import { createPermits, type Permit, type Permits } from './permits.ts';
import { createUnread } from './unread.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Awaited before each piece of work on a response, with the stored bytes that the piece reads. Pieces are made one at a time, for accounts
     * in rotation. A request that has read more than 64 KiB takes a permit, until its response is made and read. Throws `service_unavailable`
     * if there is no permit or the client has disconnected.
     */
    readonly turn: Turn;
    /** Bytes that the request's turns have read. */
    bytesRead: number;
    /** Of a request with a body from `preParsing` on, else from `preHandler` on. */
    reply: FastifyReply;
    /** Releases the permit before the response is made, for a request that waits for an outcome without reading. */
    releasePermit(): void;
    /** Takes the permit of a page again, after it was released. */
    takePagePermit(): Promise<void>;
  }
}

const KIB = 1024;
/** A response of this size fits into the buffers of the kernel and does not wait for the client. */
const BUFFERED = 16 * KIB;
/** A request that reads more stored bytes than this needs a permit. */
const LARGE = 64 * KIB;
/** What a response holds that is passed on as another process makes it: buffers, and a connection to that process. */
const PASSED_ON = 128 * KIB;
/** What a request holds before it has read anything: at most its head. */
const HEAD = 16 * KIB;
const JSON_TYPE = 'application/json; charset=utf-8';

class Cut extends Error {}

/**
 * Bounds the memory of large responses, per account and in total. A page of a list needs a permit of its own kind before its work, whatever its size; a
 * streamed response (`JsonStream`) keeps it until it is read. Responses in one piece count in bytes until the client has read them, those that are passed on
 * from another process by what they hold: while an account has half of its bytes in use, they keep their permits, and its next request needs one before it is
 * carried out. A request that was carried out is always answered; above the bound the oldest response is cut. A client that reads nothing, or needs too long,
 * is cut. Each cut is logged.
 */
export function useLargeAnswers(
  fastify: FastifyInstance,
  { limits, clock, logger }: { limits: AnswerLimits; clock: Clock; logger: Logger },
): void {
  const [permits, pages, slots] = [createPermits(limits, clock), createPermits(limits, clock), createPermits(limits, clock)];
  const unread = createUnread(limits);
  const permitsTaken = new WeakMap<FastifyRequest, Promise<Permit>>();

  const takeFrom = (pool: Permits, request: FastifyRequest, reply: FastifyReply): Promise<Permit> =>
    pool.take(accountOf(request), bytesHeldBy(request)).then((permit) => untilOver(permit, reply));
  /** The one that the request has, else one of `pool`. */
  const permitFor = (request: FastifyRequest, reply: FastifyReply, pool = permits): Promise<Permit> => {
    const taken = permitsTaken.get(request) ?? takeFrom(pool, request, reply);
    permitsTaken.set(request, taken);
    return taken;
  };

  /** Returns a function that cuts the response. Also cuts it when the client is too slow. */
  const supervise = (request: FastifyRequest, reply: FastifyReply, end: (cut: Cut) => void): ((reason: string) => void) => {
    const cut = (reason: string): void => {
      if (isOver(reply)) return;
      logger.warn({ ...about(request, reply), reason }, 'an answer was cut');
      end(new Cut(reason));
      request.raw.socket.destroy(); // also if the response waits behind another one on its connection
    };
    reply.raw.once(
      'close',
      clock.after(limits.longestMs, () => cut('it took too long')),
    );
    reply.raw.setTimeout(limits.stalledMs, () => cut('its reader takes nothing'));
    // The timeout belongs to the socket and must end here: Node's own listener of this event gives the socket to the next response.
    reply.raw.prependOnceListener('finish', () => {
      if (reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(0);
    });
    return cut;
  };

  /** Counts what a response holds until it is read. */
  const count = (request: FastifyRequest, reply: FastifyReply, bytes: number, end: (cut: Cut) => void = () => undefined): void => {
    if (isOver(reply)) return;
    const cut = supervise(request, reply, end);
    if (!request.identity) return; // without an account nothing is shared
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

  /** Whether another response may be made before those in one piece are read. */
  const hasCapacity = (account: string): boolean =>
    unread.of(account) < limits.unreadPerAccount / 2 && unread.inAll() < limits.unreadInAll / 2;
  const takeTurn = async (request: FastifyRequest, bytes: number): Promise<void> => {
    request.bytesRead += bytes;
    if (request.bytesRead > LARGE) await permitFor(request, request.reply);
    if (isOver(request.reply)) throw new DomainError('service_unavailable', 'The caller has gone.');
    await nextTurn(accountOf(request));
  };

  const startPage = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    permitFor(request, reply, pages).then(() => takeTurn(request, 0));

  fastify.decorateRequest('reply', null as unknown as FastifyReply);
  fastify.decorateRequest('bytesRead', 0);
  // Made when they are asked for: a function that is stored in each request keeps V8's scavenger from freeing it.
  fastify.decorateRequest('turn', {
    getter() {
      return (bytes) => takeTurn(this, bytes);
    },
  });
  fastify.decorateRequest('releasePermit', function (this: FastifyRequest) {
    this.bytesRead = 0;
    this.writePermit?.release();
    giveBack(this, this.reply);
  });
  fastify.decorateRequest('takePagePermit', function (this: FastifyRequest) {
    return permitsTaken.has(this) ? Promise.resolve() : startPage(this, this.reply);
  });
  fastify.addHook('preHandler', (request, reply, done) => {
    request.reply = reply;
    if (pageRoutes.has(request.routeOptions.config.serves)) return void startPage(request, reply).then(() => done(), done);
    if (unread.of(accountOf(request)) < limits.unreadPerAccount / 2) return done();
    takeFrom(slots, request, reply).then(() => done(), done);
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
      count(request, reply, PASSED_ON, (cut) => payload.destroy(cut));
      return done(null, payload);
    }
    const isLarge = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > BUFFERED;
    const bytes = isLarge && typeof payload === 'string' ? Buffer.from(payload) : payload; // otherwise memory holds the string besides its bytes
    if (isLarge) count(request, reply, (bytes as Buffer).length);
    if (!isLarge || hasCapacity(accountOf(request))) giveBack(request, reply); // the response is made
    done(null, bytes);
  });

  const about = (request: FastifyRequest, reply: FastifyReply): object => ({
    request_id: requestIdOf(request, reply),
    account: request.identity?.account,
    route: request.routeOptions.url,
  });
}

/** Pages of lists and histories. Reports are few, and take long. */
const pageRoutes: ReadonlySet<string | undefined> = new Set(
  routeNames.filter((name) => {
    const { query, cost } = routes[name];
    return (query === PageQuery || query.prototype instanceof PageQuery) && !cost?.includes('reports');
  }),
);

/** What memory holds of a request while it waits. */
const bytesHeldBy = ({ bytesRead, headers }: FastifyRequest): number => HEAD + Math.max(bytesRead, Number(headers['content-length'] ?? 0));

const accountOf = ({ identity }: FastifyRequest): string => identity?.account ?? '';
const isOver = ({ raw }: FastifyReply): boolean => raw.destroyed || raw.closed;
const ignore = (): void => undefined;

function untilOver(permit: Permit, reply: FastifyReply): Permit {
  if (isOver(reply)) permit.release();
  else reply.raw.once('close', permit.release);
  return permit;
}
