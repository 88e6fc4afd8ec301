import type { Result } from '../../submission/domain/facts.ts';
import type { Message, Ours } from '../../submission/authority.ts';
import type { HttpResponse } from '../../sending/http.ts';
import { isSigned } from './record.ts';

const unknown = (code: string, message: string): Result => ({ kind: 'unknown', error: { code, message } });

/**
 * Interprets a response of the sandbox. Only a response with its signature, for this very message, is trusted. An unsigned one comes from a
 * machine in between and says at most that the message was not processed (503, 429).
 */
export function readAnswer(message: Pick<Message, 'id' | 'kind'>, ours: Ours, response: HttpResponse): Result {
  if (response.status === 503 || response.status === 429) {
    return { kind: 'deferred', error: { code: 'unavailable', message: `The authority is not available (${response.status}).` } };
  }
  if (!isSigned(response.body, response.headers['x-signature'])) {
    return unknown('untrusted_answer', `The answer (${response.status}) bears no valid signature of the authority.`);
  }
  const answer = JSON.parse(response.body.toString()) as SignedAnswer;
  if (answer.request_id !== message.id) return unknown('wrong_request', 'The authority answered to another request.');
  if (!ours.registered) return registration(answer, ours.record_sha256);
  if ('record_sha256' in answer && answer.record_sha256 !== ours.record_sha256)
    return unknown('foreign_answer', `The authority answered about another record under ${answer.document_number}.`);
  return message.kind === 'cancel' ? cancellation(answer) : whetherCancelled(answer);
}

function registration(answer: SignedAnswer, sha256: string): Result {
  switch (answer.status) {
    case 'registered':
    case 'duplicate':
    case 'cancelled': {
      if (answer.record_sha256 !== sha256) {
        const message = `The authority has another record under ${answer.document_number}. Find out whose it is.`;
        return { kind: 'foreign', error: { code: 'duplicate_foreign', message, fixable: 'setup' } };
      }
      return {
        kind: 'registered',
        code: answer.code,
        registered_at: answer.registered_at,
        warnings: (answer.warnings ?? []).map(({ code }) => code),
        ...(answer.warnings?.length && { warned: answer.warnings.map(({ code, message }) => ({ code, message })) }),
      };
    }
    case 'rejected':
      return { kind: 'rejected', error: { code: answer.error.code, message: answer.error.message, fixable: answer.error.fix } };
    case 'absent':
      return { kind: 'absent' };
    case 'refused':
      return unknown('unexpected_answer', 'The authority refused a cancellation that nobody asked for.');
    default:
      return answer satisfies never;
  }
}

function cancellation(answer: SignedAnswer): Result {
  if (answer.status === 'cancelled' && answer.voided_at !== null) return { kind: 'cancelled', cancelled_at: answer.voided_at };
  if (answer.status === 'refused') return { kind: 'refused', error: { code: answer.error.code, message: answer.error.message } };
  return unknown('unexpected_answer', `The authority answered ${answer.status} to a cancellation.`);
}

function whetherCancelled(answer: SignedAnswer): Result {
  if (answer.status === 'registered') return { kind: 'absent' };
  if (answer.status === 'cancelled' && answer.voided_at !== null) return { kind: 'cancelled', cancelled_at: answer.voided_at };
  return unknown('unexpected_answer', `The authority answered ${answer.status} about a document that it registered.`);
}

/** Responses of the sandbox protocol, version 1. */
type SignedAnswer = { request_id: string } & (
  | {
      status: 'registered' | 'duplicate' | 'cancelled';
      document_number: string;
      code: string;
      record_sha256: string;
      registered_at: string;
      voided_at: string | null;
      warnings?: { code: string; message: string }[];
    }
  | { status: 'rejected'; error: { code: string; message: string; fix: 'data' | 'credentials' | 'setup' } }
  | { status: 'refused'; error: { code: string; message: string } }
  | { status: 'absent' }
);
