import type { DomainError } from '@svc/kernel';
import { statusOf } from './status.ts';

export interface ErrorPayload {
  status: number;
  contentType: string;
  /** JSON text. */
  body: string;
  /** Whole seconds for Retry-After, at least 1; undefined when a repeat makes no sense by itself. */
  retryAfter: number | undefined;
}

const PROBLEM = 'application/problem+json';

/**
 * What a refused request is answered with: `{"error": {code, message, details?, request_id}}`, or the same facts as RFC 9457
 * when `accept` (the Accept header) names application/problem+json.
 */
export function errorPayload(error: DomainError, requestId: string, accept?: string): ErrorPayload {
  const { code, message, details } = error;
  const status = statusOf(code);
  const retryAfter = status === 503 ? (error.retryAfter ?? 1) : error.retryAfter;
  const answer = { status, retryAfter: retryAfter === undefined ? undefined : Math.max(1, Math.ceil(retryAfter)) };
  if (accept?.toLowerCase().includes(PROBLEM)) {
    const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
    const problem = { type: `urn:svc:problem:${code}`, title, status, detail: message, code, request_id: requestId, details };
    return { ...answer, contentType: `${PROBLEM}; charset=utf-8`, body: JSON.stringify(problem) };
  }
  const body = { code, message, details, request_id: requestId };
  return { ...answer, contentType: 'application/json; charset=utf-8', body: JSON.stringify({ error: body }) };
}
