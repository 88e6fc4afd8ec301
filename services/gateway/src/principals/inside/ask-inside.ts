import type { Uid } from '@svc/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../principal.ts';
import { type InsideTurns, mostBytes } from './turns.ts';

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
  /** Whoever reads an answer waits for one, whichever part of the gateway asks. */
  turns: InsideTurns;
}

interface InsideRequest extends Inside {
  /** With its path: of the interface, or of a signed link. */
  url: string;
  /** Preferences about the answer, as a client sends them. */
  prefer?: string | string[] | undefined;
  /** The JSON of a POST; absent: it is a GET. */
  body?: object;
}

export interface InsideAnswer {
  status: number;
  bytes: Buffer;
}

export type AskInside = (request: InsideRequest) => Promise<InsideAnswer>;

/** Asks the interface as a principal, wherever the service of the route runs. The answer is read whole, once its bytes have their turn. */
export function createAskInside(fastify: FastifyInstance, insiders: Insiders): AskInside {
  return async ({ url, body, prefer, ...inside }) => {
    const release = await insiders.turns.take(inside.principal.account, mostBytes(url));
    const headers = {
      ...{ host: 'gateway', accept: 'application/json' },
      ...(prefer !== undefined && { prefer }),
      ...insiders.admit(inside),
    };
    const sent = { url, headers, ...(body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, payload: body }) };
    // Taken by the request itself, unless it fails before.
    const answer = await fastify.inject(sent).finally(() => {
      insiders.take({ headers });
      release();
    });
    return { status: answer.statusCode, bytes: answer.rawPayload };
  };
}

/** What says nothing of what there is and who may see it. */
export const isFailure = (status: number): boolean => status >= 500 || status === 429 || status === 401;
