import { type RouteName, routes } from '@svc/contracts/routes';
import { createCapacity } from '@svc/kernel';
import { MOST_WAITING, waitSeconds } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import type { Answer, Client } from './exchange.ts';
import { headersAtOnce } from './headers.ts';
import type { Send, UpstreamRequest } from './send.ts';
import type { Upstream } from './upstream.ts';

/** A request of an account, once as it was sent, and once without the wait for its outcome. */
export interface WaitingRequest {
  account: string;
  waiting: UpstreamRequest & { client: Client };
  atOnce: UpstreamRequest;
}

type SendWaiting = (upstream: Upstream, request: WaitingRequest) => Promise<Answer | 'aborted'>;

/**
 * So many may wait in this process, each on a connection that no other request needs. Beyond that, where the caller goes away, and when the process stops, a
 * request is sent without its wait: again under its command id, so that it is carried out once, and its response is stored. A read whose caller has gone is not
 * sent again.
 */
export function createWaiting(send: Send, stopping: AbortSignal): SendWaiting {
  const capacity = createCapacity(MOST_WAITING);
  const clients = new Set<Client>();
  stopping.addEventListener('abort', () => {
    for (const client of clients) {
      client.gone = true;
      client.onGone?.();
    }
  });

  return async (upstream, { account, waiting, atOnce }) => {
    const release = stopping.aborted ? undefined : capacity.reserve(account, 1);
    if (!release) return send(upstream, atOnce);
    clients.add(waiting.client);
    const answer = await send(upstream, waiting).finally(() => {
      clients.delete(waiting.client);
      release();
    });
    return answer === 'aborted' ? send(upstream, atOnce) : answer;
  };
}

/** How the requests of a route wait. */
export interface Waits {
  send: SendWaiting;
  seconds(request: FastifyRequest): number;
  /** The request without its wait. */
  atOnce(request: FastifyRequest, sent: UpstreamRequest, token: () => string): UpstreamRequest;
}

/** `Prefer: wait`, or `wait` in the query of a route that follows. */
export function waitsOf(name: RouteName, send: SendWaiting): Waits | undefined {
  const { waits, follows } = routes[name];
  if (follows) {
    const seconds = ({ query }: FastifyRequest): number => Number((query as { wait?: unknown }).wait ?? 0) || 0; // the service refuses what is no number
    return { send, seconds, atOnce: (_request, sent) => ({ ...sent, path: withoutParameter(sent.path, 'wait') }) };
  }
  if (!waits) return undefined;
  return {
    ...{ send, seconds: waitSeconds },
    atOnce: (request, sent, token) => ({ ...sent, headers: (traceparent) => headersAtOnce(request, token(), traceparent) }),
  };
}

/** The path without these pairs of its query; the others stay as they were sent. */
function withoutParameter(path: string, name: string): string {
  const mark = path.indexOf('?');
  const others = path
    .slice(mark + 1)
    .split('&')
    .filter((pair) => pair.split('=', 1)[0] !== name);
  return `${path.slice(0, mark)}?${others.join('&')}`;
}
