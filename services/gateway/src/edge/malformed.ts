import { answerSocket, type MalformedHandlers, malformedRequest } from '@svc/service-kit';
import { type Ids, prefixed } from '@svc/kernel';
import { addressCosting } from './costing.ts';
import type { Gate } from './gate.ts';
import type { Limits } from './limits.ts';
import { interfacePath } from './path.ts';
import { plainAddress } from './proxies.ts';
import { refuse } from './refuse.ts';

/** Answers what never became a request that a hook saw: in the same envelope, with the same headers. */
export const malformedHandlers = ({ gate, limits, ids }: { gate: Gate; limits: Limits; ids: Ids }): MalformedHandlers => ({
  /** With a valid key it counts like any request; without one it is 401 like any request. */
  url(request, reply) {
    gate.admit(request, reply, interfacePath(request.raw.url ?? '') ?? '', ({ requestId }) =>
      refuse(request, reply, requestId, malformedRequest()),
    );
  },

  /** Whoever sent this is known by address alone. It counts, but the answer is 400 also beyond the limit. */
  http(_error, socket) {
    const requestId = prefixed('req', ids.next());
    limits.headersOf(`ip ${plainAddress(socket.remoteAddress)}`, addressCosting).then(
      (headers) => answerSocket(socket, malformedRequest(), requestId, headers),
      () => answerSocket(socket, malformedRequest(), requestId),
    );
  },
});
