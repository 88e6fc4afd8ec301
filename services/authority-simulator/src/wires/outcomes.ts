import { countOf, type Fault } from './faults.ts';
import { noReply, pageReply, type Reply } from './wire.ts';

/** The answer in place of judging the request; undefined where the fault begins later. */
export function before(fault: Fault | undefined): Reply | undefined {
  if (fault?.name === 'lost_request') return noReply;
  return fault?.name === 'unavailable' ? pageReply(503, 'The service is not available.') : undefined;
}

/** What reaches the caller of an answer that every authority may spoil. */
export function after(fault: Fault | undefined, reply: Reply): Reply {
  switch (fault?.name) {
    case 'lost_reply':
      return noReply;
    case 'error_after_accept':
      return pageReply(500, 'Internal error.');
    case 'truncated':
      return { ...reply, body: reply.body.subarray(0, reply.body.length >> 1) };
    case 'slow':
      return { ...reply, delayMs: countOf(fault) };
    default:
      return reply;
  }
}
