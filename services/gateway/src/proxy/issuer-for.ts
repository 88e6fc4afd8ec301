import { ISSUER_HEADER, type IssuerFacts, issuerText } from '@svc/contracts/credentials/issuer-header';
import { type RouteName, routes } from '@svc/contracts/routes';
import type { Identity } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { MOST_KEPT } from '../edge/idempotent.ts';
import type { Answer } from './exchange.ts';
import { READ_MS } from './deadlines.ts';
import { headersTo } from './headers.ts';
import type { Send } from './send.ts';
import type { Upstream } from './upstream.ts';

/** Headers that a service gets besides; or the answer, where they could not be had. */
export type Before = (request: FastifyRequest) => Promise<{ headers: Record<string, string> } | { answer: Answer | 'aborted' }>;

const judged = new Set<RouteName>(['PUT /fiscal-credentials', 'POST /fiscal-credentials/check']);
const { path, permission } = routes['GET /issuer'];

/** For the routes that judge a certificate by its issuer, which fiscal-submission does not know; undefined for all others. */
export function issuerFor(
  name: RouteName,
  { invoicing, send, sign }: { invoicing: Upstream; send: Send; sign: (identity: Identity, service: string) => string },
): Before | undefined {
  if (!judged.has(name)) return undefined;
  const permissions = permission === null ? [] : [permission];

  return async (request) => {
    const { identity } = request;
    const answer = await send(invoicing, {
      ...{ method: 'GET', path: `/v1${path}`, route: `/v1${path}`, traceparent: identity.traceparent, holder: identity.account },
      // Asked for by the gateway itself: who may change a certificate may know whose documents it signs.
      headers: (traceparent) => headersTo(request, sign({ ...identity, permissions }, invoicing.name), traceparent),
      ...{ body: null, maxBuffered: MOST_KEPT, client: undefined, deadline: READ_MS },
    });
    if (answer === 'aborted' || answer.status !== 200) return { answer };
    return { headers: { [ISSUER_HEADER]: issuerText(JSON.parse(String(answer.body)) as IssuerFacts) } };
  };
}
