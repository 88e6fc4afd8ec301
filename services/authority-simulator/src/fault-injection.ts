import type { Answer } from './answer.ts';
import { unsigned } from './answer.ts';
import type { FaultName } from './script.ts';
import { signatureOf } from './signing.ts';

export type Fault = FaultName | 'none';

/** Applies a fault to the response of a completed call. `mistaken` makes the response to another request. */
export function withFault(fault: Fault, answer: Answer, mistaken: () => Answer): Answer {
  if (answer.dropped) return answer;
  switch (fault) {
    case 'none':
      return answer;
    case 'lost_request':
    case 'lost_reply':
      return { dropped: true };
    case 'error_after_accept':
      return unsigned(500, 'Internal error.');
    case 'bad_signature':
      return { ...answer, headers: { ...answer.headers, 'x-signature': signatureOf(Buffer.from('another answer')) } };
    case 'truncated':
      return { ...answer, body: answer.body.subarray(0, answer.body.length >> 1) };
    case 'wrong_request_id':
      return mistaken();
    default:
      return fault satisfies never;
  }
}
