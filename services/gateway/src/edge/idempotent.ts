import { type Clock, DomainError } from '@svc/kernel';
import { logFailure, type Logger } from '@svc/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fingerprint, type AnsweredAgain, type Claim } from '../idempotency/row.ts';
import type { Answer, Begun, IdempotencyStore } from '../idempotency/store.ts';
import { appendsFirst, isKept, keptWhole, keyOf, secretOf, subjectOf, takesKey } from '../idempotency/subject.ts';
import { createWaiting } from '../idempotency/waiting.ts';
import { formOf } from './rewrite-answers.ts';
import { sendError } from './send-error.ts';
import type { StorageUsage } from '../storage/usage.ts';
import type { RequestContext } from './request-context.ts';

const FORM = /^[\x21-\x7e]{1,255}$/;
/** Headers that are stored and replayed with a response. */
const KEPT_HEADERS = ['content-type', 'etag', 'preference-applied'];
/** Characters. A larger response is not stored: a repeat runs again under the same command id. */
export const MOST_KEPT = 8 * 1024 * 1024;
/** The same for an account that has used up its storage. At the rate of its plan it keeps less in 48 h than it has used. */
const MOST_WITHOUT_ROOM = 4 * 1024;
/** Bytes of a body whose answer is made again for a repeat, which costs what reading it costs, some milliseconds at most. That of a longer one is stored. */
const MOST_AGAIN = 4 * 1024;

export interface IdempotentOptions {
  store: IdempotencyStore;
  storage: Pick<StorageUsage, 'used'>;
  clock: Clock;
  logger: Logger;
}

/** Step 8: one run and one response for each Idempotency-Key. */
export function createIdempotent({ store, storage, clock, logger }: IdempotentOptions) {
  const beginOrWait = createWaiting(store, clock);
  const settle = (claim: Claim, requestContext: RequestContext, reply: FastifyReply, payload: unknown): Promise<void> => {
    const body = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString('utf8') : undefined;
    const { route, principal } = requestContext;
    const isTemporary = reply.hasHeader('retry-after'); // as that of a batch of which some items failed for the time being
    const most = storage.used(principal) < 1 ? MOST_KEPT : MOST_WITHOUT_ROOM;
    if (route === undefined || isTemporary || !isKept(route.name, reply.statusCode) || body === undefined || body.length > most)
      return store.release(claim);
    const about = {
      account: principal.account,
      subject: subjectOf(route.name, principal.scope, claim.command, body),
      secret: secretOf(route.name),
      whole: keptWhole(route.name),
    };
    return store.keep(claim, { status: reply.statusCode, headers: keptHeaders(reply), body }, about);
  };

  return {
    /** Calls `go` when the request is to run. Else answers it: the replayed response, 409, or 400 for a malformed key. */
    begin(request: FastifyRequest, reply: FastifyReply, requestContext: RequestContext, go: () => void): void {
      const key = request.headers['idempotency-key'];
      const { requestId, principal, uid, path, route } = requestContext;
      if (key === undefined || request.method !== 'POST' || (route && !takesKey(route.name))) return go();
      if (typeof key !== 'string' || !FORM.test(key)) return sendError(request, reply, requestId, badKey());
      const repeatable = {
        scope: principal.scope,
        ofKey: keyOf(route?.name, principal),
        key,
        fingerprint: fingerprint({ method: 'POST', path, query: queryOf(request.url), body: request.rawBody }),
        command: uid,
        route: route?.name,
        appends: route !== undefined && appendsFirst(route.name),
        again: (request.rawBody?.length ?? 0) > MOST_AGAIN ? undefined : () => answeredAgain(request, requestContext),
      };
      beginOrWait(repeatable, request.rawBody?.length ?? 0).then(
        (begun) => {
          if (begun.kind === 'replay') return replay(requestContext, reply, begun.answer);
          if (begun.kind !== 'run') return sendError(request, reply, requestId, taken(begun.kind));
          requestContext.claim = begun.claim;
          request.identity.commandId = begun.claim.command;
          go();
        },
        (error: unknown) => {
          logFailure(logger, error, 'idempotency keys cannot be claimed', { request_id: requestId });
          sendError(request, reply, requestId, unavailable());
        },
      );
    },

    /** Releases the key: what is answered now is not kept. Then calls `go`. */
    giveUp(requestContext: RequestContext, go: () => void): void {
      const { claim, requestId } = requestContext;
      if (claim === undefined) return go();
      requestContext.claim = undefined;
      store
        .release(claim)
        .catch((error: unknown) => logFailure(logger, error, 'idempotency key not released', { request_id: requestId }))
        .then(go, go);
    },

    /** Stores the response or releases the key, then calls `send`. */
    end(reply: FastifyReply, requestContext: RequestContext, payload: unknown, send: () => void): void {
      const { claim } = requestContext;
      if (claim === undefined) return send();
      requestContext.claim = undefined;
      if (store.isComplete(claim, reply.statusCode)) return send();
      // The response is sent also when storing fails: the lease expires, and a repeat runs under the same command id.
      settle(claim, requestContext, reply, payload)
        .catch((error: unknown) => logFailure(logger, error, 'idempotent answer not kept', { request_id: requestContext.requestId }))
        .then(send, send);
    },
  };
}

export type Idempotent = ReturnType<typeof createIdempotent>;

/** As it was sent. */
const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

const keptHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(KEPT_HEADERS.filter((name) => reply.hasHeader(name)).map((name) => [name, String(reply.getHeader(name))]));

/** Once the service has said that it can be. */
function answeredAgain(request: FastifyRequest, requestContext: RequestContext): AnsweredAgain | undefined {
  const { answeredFrom: from } = request;
  return from === undefined ? undefined : { from, ...formOf(request, requestContext) };
}

function replay(requestContext: RequestContext, reply: FastifyReply, { status, headers, body, form }: Answer): void {
  requestContext.form = form;
  reply.code(status).headers(headers).header('idempotent-replayed', 'true').send(body);
}

const badKey = (): DomainError =>
  new DomainError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
    'idempotency-key': ['is not 1 to 255 visible ASCII characters'],
  });

const taken = (kind: Exclude<Begun['kind'], 'run' | 'replay'>): DomainError =>
  kind === 'in_use'
    ? new DomainError(
        'idempotency_key_in_use',
        'The first request with this Idempotency-Key still runs. Repeat it in a second.',
        undefined,
        1,
      )
    : new DomainError('idempotency_key_reused', 'This Idempotency-Key was used for another request. Take a new key for a new request.');

const unavailable = (): DomainError =>
  new DomainError('service_unavailable', 'The Idempotency-Key cannot be checked at the moment. Nothing was done; try again.', undefined, 1);
