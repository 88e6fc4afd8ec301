import type { Registration } from './ledger.ts';
import { createHash, createHmac, createPrivateKey, createSecretKey, sign, timingSafeEqual } from 'node:crypto';

/** The response on the wire. `dropped`: none, the connection is closed. */
export type Answer =
  { dropped: true } | { dropped?: undefined; status: number; headers: Record<string, string>; body: Buffer; delayMs?: number };

/** A response of the authority: signed JSON with the request's message id. */
export function signed(status: number, requestId: string, content: object): Answer {
  const body = Buffer.from(JSON.stringify({ request_id: requestId, ...content }));
  return { status, headers: { 'content-type': 'application/json', 'x-signature': signatureOf(body) }, body };
}

/** A response of a machine in front of the authority: unsigned, it says nothing about the document. */
export const unsigned = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message })),
});

export const registeredAnswer = (
  requestId: string,
  registration: Registration,
  warnings: { code: string; message: string }[] = [],
): Answer => signed(200, requestId, { status: registration.voided_at === null ? 'registered' : 'cancelled', ...registration, warnings });

export const duplicateAnswer = (requestId: string, registration: Registration): Answer =>
  signed(409, requestId, { status: 'duplicate', ...registration });

export const rejectedAnswer = (requestId: string, error: { code: string; message: string; fix: string }): Answer =>
  signed(422, requestId, { status: 'rejected', error });

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The sandbox's key. It signs responses about documents without legal effect, so it is a published test key derived from a fixed text:
 * clients pin its public half and need no configuration.
 */
const key = createPrivateKey({
  key: Buffer.concat([PKCS8_ED25519, createHash('sha256').update('sandbox tax authority, answer signing key 1').digest()]),
  format: 'der',
  type: 'pkcs8',
});

/** Base64 of the Ed25519 signature of an answer's bytes. */
export const signatureOf = (body: Buffer): string => sign(null, body, key).toString('base64');

/** The published test key of those who call, derived from a fixed text. */
const callersKey = createSecretKey(createHash('sha256').update('sandbox tax authority, request signing key 1').digest());

/** Whether a request bears the signature of this taxpayer: HMAC-SHA256 in base64 of the taxpayer, the method, the path with its query, and the body. */
export function isFrom(taxpayer: string, { method, path, body }: { method: string; path: string; body: string }, signature = ''): boolean {
  const expected = createHmac('sha256', callersKey).update([taxpayer, method, path, body].join('\n')).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

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
