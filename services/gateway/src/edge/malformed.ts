import { answerResponse, answerSocket, type MalformedHandlers, malformedLine, malformedRequest, type ErrorLog } from '@svc/service';
import { type Ids, prefixed } from '@svc/kernel';
import { addressScope, callerAddress, plainAddress, type Proxies } from './addresses.ts';
import { addressCounted, type RateLimits } from './rate-limits.ts';
import type { Authentication } from './authenticate.ts';
import { guardHeaders, sendError } from './send-error.ts';
import { interfacePath } from '../routing/route-table.ts';

interface Parts {
  authentication: Authentication;
  limits: RateLimits;
  ids: Ids;
  proxies: Proxies;
  log: ErrorLog['log'];
}

/** Answers requests that Node or Fastify rejects before any hook runs, with the usual error body and headers. */
export const malformedHandlers = ({ authentication, limits, ids, proxies, log }: Parts): MalformedHandlers => ({
  /** With a valid key the request counts and is 400; without one it is 401. */
  url(request, reply) {
    authentication.authenticate(request, reply, interfacePath(request.raw.url ?? '') ?? '', ({ requestId }) =>
      sendError(request, reply, requestId, malformedRequest()),
    );
  },

  /** Counted by address, since no headers were parsed. 400 also beyond the limit. */
  http(_error, socket) {
    const requestId = prefixed('req', ids.next());
    const scope = addressScope(plainAddress(socket.remoteAddress));
    log(malformedLine(requestId, scope));
    limits.headersOf(scope, addressCounted).then(
      (headers) => answerSocket(socket, malformedRequest(), requestId, { ...guardHeaders, ...headers }),
      () => answerSocket(socket, malformedRequest(), requestId, guardHeaders),
    );
  },

  /** Counted like `http`, but by the caller's address behind a trusted proxy, because the headers were parsed. */
  request(request, response) {
    const requestId = prefixed('req', ids.next());
    const scope = addressScope(callerAddress(proxies, request));
    log(malformedLine(requestId, scope, request.method));
    limits.headersOf(scope, addressCounted).then(
      (headers) => answerResponse(response, malformedRequest(), requestId, { ...guardHeaders, ...headers }),
      () => answerResponse(response, malformedRequest(), requestId, guardHeaders),
    );
  },
});
