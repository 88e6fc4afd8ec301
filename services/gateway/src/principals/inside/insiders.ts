import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../principal.ts';

/** Requests that this process makes of itself for a member, by Fastify's `inject`: they are judged as any, and not counted again. */
export interface Insiders {
  /** The headers of one such request. */
  admit(principal: Principal, requestId: string): Record<string, string>;
  /** Who asks, once; undefined: the request comes from outside. */
  take(request: Pick<FastifyRequest, 'headers'>): { principal: Principal; requestId: string } | undefined;
}

const HEADER = 'x-svc-inside';

export function createInsiders(): Insiders {
  const admitted = new Map<string, { principal: Principal; requestId: string }>();
  return {
    admit(principal, requestId) {
      const word = randomBytes(32).toString('base64url');
      admitted.set(word, { principal, requestId });
      return { [HEADER]: word };
    },
    take({ headers }) {
      const word = headers[HEADER];
      if (typeof word !== 'string') return undefined;
      const found = admitted.get(word);
      admitted.delete(word);
      return found;
    },
  };
}
