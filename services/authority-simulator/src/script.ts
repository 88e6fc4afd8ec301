import { type Answer, unsigned } from './answer.ts';
import { signatureOf } from './signing.ts';

/** The simulation that `X-Simulate` requests for one document. */
type Script =
  | { kind: 'accept' }
  | { kind: 'warnings' }
  | { kind: 'reject'; code: string; fix: Fix; once: boolean }
  | { kind: 'once'; fault: FaultName }
  | { kind: 'unavailable'; calls: number }
  | { kind: 'slow'; ms: number }
  | { kind: 'duplicate' }
  | { kind: 'duplicate_foreign' }
  | { kind: 'refuse_void' };

export type Fix = 'data' | 'credentials' | 'setup';

/** Faults of the first call that would change the ledger; later calls have none. */
const faultNames = ['lost_request', 'lost_reply', 'error_after_accept', 'bad_signature', 'truncated', 'wrong_request_id'] as const;
type FaultName = (typeof faultNames)[number];

const MAX_CALLS = 10_000;
const MAX_MS = 600_000;
const REJECTED = 'SBX-1001';

/** Parses the header. Unknown values register like any document. */
export function scriptOf(simulate: string): Script {
  const [name = '', argument = ''] = split(simulate);
  switch (name) {
    case 'accept_with_warnings':
      return { kind: 'warnings' };
    case 'reject':
      return {
        kind: 'reject',
        code: argument || REJECTED,
        fix: argument === 'credentials' || argument === 'setup' ? argument : 'data',
        once: false,
      };
    case 'reject_once':
      return { kind: 'reject', code: REJECTED, fix: 'data', once: true };
    case 'unavailable':
      return { kind: 'unavailable', calls: whole(argument, MAX_CALLS) };
    case 'slow':
      return { kind: 'slow', ms: whole(argument, MAX_MS) };
    case 'duplicate':
    case 'duplicate_foreign':
    case 'refuse_void':
      return { kind: name };
    default: {
      const fault = faultNames.find((known) => known === name);
      return fault ? { kind: 'once', fault } : { kind: 'accept' };
    }
  }
}

function split(simulate: string): [string, string] {
  const colon = simulate.indexOf(':');
  return colon < 0 ? [simulate, ''] : [simulate.slice(0, colon), simulate.slice(colon + 1)];
}

const whole = (text: string, max: number): number => (/^\d{1,9}$/.test(text) ? Math.min(Number(text), max) : 0);

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
