import { type DocumentKind, documentKinds, documents } from '@svc/contracts/documents';
import { type DocumentStatus, noDoubt, saysInDoubt } from '@svc/contracts/document/no-doubt';
import { type RouteName, routes } from '@svc/contracts/routes';
import { uidOf } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { MOST_KEPT } from '../edge/idempotent.ts';
import type { Answer } from './exchange.ts';
import { READ_MS } from './deadlines.ts';
import { headersTo } from './headers.ts';
import type { Send } from './send.ts';
import type { Upstream } from './upstream.ts';

/** Makes the final answer to a request from that of its service. */
export type Finish = (request: FastifyRequest, answer: Answer) => Promise<Answer | 'aborted'>;

const resolved = new Map<RouteName, DocumentKind>(documentKinds.map((kind) => [`POST /${kind}s/{id}/resolve`, kind]));

/**
 * For the routes that resolve a submission; undefined for all others. fiscal-submission decides, and knows submissions alone: where it refuses, invoicing is
 * asked for the document, and invalid_state is thrown with its status. What fiscal-submission answers stands where the document still says that it is in doubt.
 */
export function statusOfDocument(
  name: RouteName,
  { invoicing, send, sign }: { invoicing: Upstream; send: Send; sign: (identity: Identity, service: string) => string },
): Finish | undefined {
  const kind = resolved.get(name);
  if (kind === undefined) return undefined;
  const { path, permission } = routes[`GET /${kind}s/{id}`];
  const permissions = permission === null ? [] : [permission];

  return async (request, answer) => {
    const { id } = request.params as { id: string };
    if (!isRefusal(answer) || uidOf(documents[kind].prefix, id) === undefined) return answer;
    const { identity } = request;
    const read = await send(invoicing, {
      ...{
        method: 'GET',
        path: `/v1${path.replace('{id}', id)}`,
        route: `/v1${path}`,
        traceparent: identity.traceparent,
        holder: identity.account,
      },
      // Asked for by the gateway itself: who may resolve a document may know its status.
      headers: (traceparent) => headersTo(request, sign({ ...identity, permissions }, invoicing.name), traceparent),
      ...{ body: null, maxBuffered: MOST_KEPT, client: undefined, deadline: READ_MS },
    });
    if (read === 'aborted') return read;
    if (read.status !== 200) return answer.status === 404 ? read : answer;
    const document = JSON.parse(String(read.body)) as DocumentStatus;
    if (saysInDoubt(document)) return answer;
    throw noDoubt(document);
  };
}

/** 404, or 422 for the state; not for the body. In both forms of an error the code comes before any text of the caller. */
const isRefusal = ({ status, body }: Answer): boolean =>
  status === 404 || (status === 422 && Buffer.isBuffer(body) && body.subarray(0, 100).includes('invalid_state'));
