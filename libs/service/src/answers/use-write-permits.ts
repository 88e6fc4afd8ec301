import { type Clock, DomainError } from '@svc/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPermits, type Permit } from './permits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request that writes, until its response is made or it waits for an outcome. */
    writePermit: Permit | null;
  }
}

export interface WriteLimits {
  /** Maximum number of writes of one account that are carried out at once; `inAll`: of all accounts together. */
  perAccount: number;
  inAll: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
/** What a request holds that waits: its head, and a parsed body of at most 16 KiB; larger ones have had their turn before. */
const HELD = 64 * KIB;
/** A burst of a plan waits whole. */
const WAITING = { waitingPerAccount: 32 * MIB, waitingInAll: 256 * MIB, waitMs: 10_000 };

/**
 * Bounds how many writes are carried out at once, where each waits for servers: more take turns, accounts in rotation, so that a burst of one account is not in front of
 * the single request of another. A write beyond ten seconds of waiting is 503, and nothing of it was done.
 */
export function useWritePermits(fastify: FastifyInstance, { limits, clock }: { limits: WriteLimits; clock: Pick<Clock, 'after'> }): void {
  const permits = createPermits({ ...WAITING, ...limits }, clock);

  const start = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const permit = await permits.take(request.identity?.account ?? '', HELD);
    if (reply.raw.destroyed || reply.raw.closed) {
      permit.release();
      throw new DomainError('service_unavailable', 'The caller has gone.');
    }
    request.writePermit = permit;
    reply.raw.once('close', permit.release);
  };

  fastify.decorateRequest('writePermit', null);
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.is404) return done();
    start(request, reply).then(() => done(), done);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    request.writePermit?.release();
    done(null, payload);
  });
}
