import { createCapacity } from '@svc/kernel';
import { MOST_WAITING } from '@svc/service';
import type { Answer, Client } from './exchange.ts';
import type { Send, UpstreamRequest } from './send.ts';
import type { Upstream } from './upstream.ts';

/** A request of an account, once as it was sent, and once without the wait for its outcome. */
export interface WaitingRequest {
  account: string;
  waiting: UpstreamRequest & { client: Client };
  atOnce: UpstreamRequest;
}

/** Forwards requests that wait for an outcome. */
export type SendWaiting = (upstream: Upstream, request: WaitingRequest) => Promise<Answer | 'aborted'>;

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
