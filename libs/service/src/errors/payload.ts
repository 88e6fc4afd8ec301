import type { DomainError } from '@svc/kernel';
import Negotiator from 'negotiator';
import { statusOf } from './status.ts';

export interface ErrorPayload {
  status: number;
  contentType: string;
  /** JSON text. */
  body: string;
  /** Whole seconds for Retry-After, at least 1; undefined if a repeat of the same request fails again. */
  retryAfter: number | undefined;
}

const PROBLEM = 'application/problem+json';
/** Characters of a header that says what a caller would rather have. A longer one is not read: that would cost more than the response, also to a caller without an account. */
export const LONGEST_NEGOTIATION = 1_024;

/**
 * The response to a domain error: `{"error": {code, message, details?, issues?, request_id}}`, or the same fields in the form of RFC 9457 if `accept` (the
 * Accept header) prefers application/problem+json by its weights (RFC 9110, 12.5.1). Its `type` is the page of the error code in the reference.
 * @param publicUrl origin of the reference; without it `type` is relative to the request
 */
export function errorPayload(error: DomainError, requestId: string, accept?: string, publicUrl = ''): ErrorPayload {
  const { code, message, details } = error;
  const issues = error.issues?.length ? error.issues : undefined;
  const status = statusOf(code);
  const retryAfter = status === 503 ? (error.retryAfter ?? 1) : error.retryAfter;
  const answer = { status, retryAfter: retryAfter === undefined ? undefined : Math.max(1, Math.ceil(retryAfter)) };
  if (accept !== undefined && prefersProblem(accept)) {
    const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
    const type = `${publicUrl}/docs/errors/${code}`;
    const problem = { type, title, status, detail: message, code, request_id: requestId, details, issues };
    return { ...answer, contentType: `${PROBLEM}; charset=utf-8`, body: JSON.stringify(problem) };
  }
  const body = { code, message, details, issues, request_id: requestId };
  return { ...answer, contentType: 'application/json; charset=utf-8', body: JSON.stringify({ error: body }) };
}

/** What a range of all types asks for comes first. */
const FORMS = ['application/json', PROBLEM];

const prefersProblem = (accept: string): boolean =>
  accept.length <= LONGEST_NEGOTIATION &&
  accept.toLowerCase().includes(PROBLEM) &&
  new Negotiator({ headers: { accept } }).mediaType(FORMS) === PROBLEM;
