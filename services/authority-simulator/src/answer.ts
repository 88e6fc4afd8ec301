import type { Registration } from './ledger.ts';
import { signatureOf } from './signing.ts';

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
