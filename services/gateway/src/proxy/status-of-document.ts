import { type DocumentKind, documentKinds, documents } from '@svc/contracts/documents';
import { type DocumentStatus, noDoubt } from '@svc/contracts/document/no-doubt';
import { type RouteName, routes } from '@svc/contracts/routes';
import { uidOf } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { MOST_KEPT } from '../edge/idempotent.ts';
import type { Answer } from './exchange.ts';
import { headersTo } from './headers.ts';
import type { Send } from './send.ts';
import type { Upstream } from './upstream.ts';

/** Answers a request in place of the service that found nothing: `answer` is its 404. */
export type Otherwise = (request: FastifyRequest, answer: Answer) => Promise<Answer | 'aborted'>;

const resolved = new Map<RouteName, DocumentKind>(documentKinds.map((kind) => [`POST /${kind}s/{id}/resolve`, kind]));

/**
 * For the routes that resolve a submission; undefined for all others. fiscal-submission knows submissions alone: where it has none of a document,
 * invoicing is asked for the document. Throws invalid_state where there is one; else invoicing's answer is the answer.
 */
export function statusOfDocument(
  name: RouteName,
  { invoicing, send, sign }: { invoicing: Upstream; send: Send; sign: (identity: Identity, service: string) => string },
): Otherwise | undefined {
  const kind = resolved.get(name);
  if (kind === undefined) return undefined;
  const { path, permission } = routes[`GET /${kind}s/{id}`];
  const permissions = permission === null ? [] : [permission];

  return async (request, answer) => {
    const { id } = request.params as { id: string };
    if (uidOf(documents[kind].prefix, id) === undefined) return answer;
    const { identity } = request;
    const read = await send(invoicing, {
      ...{ method: 'GET', path: `/v1${path.replace('{id}', id)}`, route: `/v1${path}`, traceparent: identity.traceparent },
      // Asked for by the gateway itself: who may resolve a document may know its status.
      headers: (traceparent) => headersTo(request, sign({ ...identity, permissions }, invoicing.name), traceparent),
      ...{ body: null, maxBuffered: MOST_KEPT, client: undefined },
    });
    if (read === 'aborted' || read.status !== 200) return read;
    throw noDoubt(JSON.parse(String(read.body)) as DocumentStatus);
  };
}
