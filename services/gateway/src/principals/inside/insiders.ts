import { randomBytes } from 'node:crypto';
import type { Uid } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../principal.ts';

export interface Inside {
  principal: Principal;
  requestId: string;
  /** Under which a write is carried out once, however often it is asked for; a new one by default. */
  command?: Uid;
}

/** Requests that this process makes of itself for a member, by Fastify's `inject`: they are judged as any, and not counted again. */
export interface Insiders {
  /** The headers of one such request. */
  admit(inside: Inside): Record<string, string>;
  /** Who asks, once; undefined: the request comes from outside. */
  take(request: Pick<FastifyRequest, 'headers'>): Inside | undefined;
}

const HEADER = 'x-svc-inside';

export function createInsiders(): Insiders {
  const admitted = new Map<string, Inside>();
  return {
    admit(inside) {
      const word = randomBytes(32).toString('base64url');
      admitted.set(word, inside);
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
