import { DomainError } from '@svc/kernel';
import type { FastifyInstance } from 'fastify';
import type { Inside, Insiders } from './insiders.ts';

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

/** Asks the interface as a principal, wherever the service of the route runs. The answer is read whole. */
export function createAskInside(fastify: FastifyInstance, insiders: Insiders): AskInside {
  return async ({ url, body, prefer, ...inside }) => {
    const headers = {
      ...{ host: 'gateway', accept: 'application/json' },
      ...(prefer !== undefined && { prefer }),
      ...insiders.admit(inside),
    };
    const sent = { url, headers, ...(body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, payload: body }) };
    // Taken by the request itself, unless it fails before.
    const answer = await fastify.inject(sent).finally(() => insiders.take({ headers }));
    return { status: answer.statusCode, bytes: answer.rawPayload };
  };
}

/** What says nothing of what there is and who may see it. */
export const isFailure = (status: number): boolean => status >= 500 || status === 429 || status === 401;

export const unavailable = (): DomainError =>
  new DomainError('service_unavailable', 'A part of this cannot be read at the moment. Try again.', undefined, 1);
