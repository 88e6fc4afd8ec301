import { type Certified, CERTIFIED_HEADER, certifiedIn, certifiedText } from '@svc/contracts/credentials/certified-header';
import { type RouteName, routes } from '@svc/contracts/routes';
import { type Clock, isFresh } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { FastifyRequest } from 'fastify';
import { MOST_KEPT } from '../edge/idempotent.ts';
import { READ_MS } from './deadlines.ts';
import type { Client } from './exchange.ts';
import { headersTo } from './headers.ts';
import type { Before } from './issuer-for.ts';
import type { Send } from './send.ts';
import type { Upstream } from './upstream.ts';

/** By which a document takes a number, or goes to its authority once more. */
const judged = new Set<RouteName>([
  ...(['POST /invoices/{id}/submit', 'POST /invoices/batch/submit', 'POST /invoices/{id}/void'] as const),
  ...(['POST /receipts', 'POST /receipts/{id}/resubmit', 'POST /receipts/{id}/void'] as const),
]);
const changing = new Set<RouteName>(['PUT /fiscal-credentials', 'DELETE /fiscal-credentials', 'POST /fiscal-credentials/activate']);

/** How long a submission waits for it, in milliseconds. Without it nothing is refused for a certificate. */
const WITHIN_MS = 500;
/**
 * For so long, in milliseconds, the certificate of an account is known, and that fiscal-submission does not answer. That there is none is asked anew: another gateway may
 * have put one meanwhile.
 */
const KEPT_MS = 5_000;
const MOST_ACCOUNTS = 10_000;

interface Asking {
  submissions: Upstream;
  send: Send;
  sign: (identity: Identity, service: string) => string;
  clock: Clock;
}

interface Kept {
  certified: Certified | undefined;
  /** Milliseconds since 1970. */
  at: number;
}

/** What invoicing, which knows no certificates, refuses live documents by: asked of fiscal-submission, and not at each submission of an account. */
export function createCertified({ submissions, send, sign, clock }: Asking) {
  const kept = new Map<string, Kept>();
  /** By account: one for all of its submissions. */
  const asking = new Map<string, Promise<Certified | undefined>>();
  const { path, permission } = routes['GET /fiscal-credentials'];
  const permissions = permission === null ? [] : [permission];

  async function ask(request: FastifyRequest): Promise<Certified | undefined> {
    const { identity } = request;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const client: Client = { gone: false };
    const cancel = clock.after(WITHIN_MS, () => {
      resolve(undefined);
      client.gone = true;
      client.onGone?.();
    });
    const answered = send(submissions, {
      ...{ method: 'GET', path: `/v1${path}`, route: `/v1${path}`, traceparent: identity.traceparent, holder: identity.account },
      // Asked for by the gateway itself: whoever may submit a document may know whether it has a certificate.
      headers: (traceparent) => headersTo(request, sign({ ...identity, permissions }, submissions.name), traceparent),
      ...{ body: null, maxBuffered: MOST_KEPT, client, deadline: READ_MS },
    }).catch(() => undefined);
    const answer = await Promise.race([answered, promise]).finally(cancel);
    return answer === undefined || answer === 'aborted' ? undefined : certifiedIn(answer.headers[CERTIFIED_HEADER]);
  }

  function certifiedOf(request: FastifyRequest): Promise<Certified | undefined> | Certified | undefined {
    const { account } = request.identity;
    const known = kept.get(account);
    if (known && isFresh(known.at, clock.now(), KEPT_MS)) return known.certified;
    const under = asking.get(account);
    if (under) return under;
    const answered = ask(request).then((certified) => {
      if (asking.get(account) !== answered) return certified; // its certificate was changed meanwhile
      asking.delete(account);
      if (kept.size >= MOST_ACCOUNTS) kept.clear();
      if (certified === undefined || 'subject' in certified) kept.set(account, { certified, at: clock.now() });
      else kept.delete(account);
      return certified;
    });
    asking.set(account, answered);
    return answered;
  }

  return {
    /** What a route's requests get besides; `other` where it is none that is judged. */
    before(name: RouteName, other: Before | undefined): Before | undefined {
      if (judged.has(name))
        return async (request) => {
          const certified = request.identity.livemode ? await certifiedOf(request) : undefined;
          const headers: Record<string, string> = {};
          if (certified !== undefined) headers[CERTIFIED_HEADER] = certifiedText(certified);
          return { headers };
        };
      if (!changing.has(name)) return other;
      return async (request) => {
        kept.delete(request.identity.account);
        asking.delete(request.identity.account);
        return other ? other(request) : { headers: {} };
      };
    },
  };
}
