/** Why a request was refused, in the terms of the domain. `libs/service/src/errors` alone knows which HTTP status each code has. */
export type DomainErrorCode =
  | 'invalid_request'
  | 'https_required'
  | 'invalid_api_key'
  | 'insufficient_permissions'
  | 'account_suspended'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
  | 'version_conflict'
  | 'validation_error'
  | 'invalid_state'
  | 'not_representable'
  | 'storage_quota_exceeded'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'outcome_unknown'
  | 'service_unavailable';

/** Field path (`items.0.quantity`) to what is wrong with it and what to do. */
export type Details = Record<string, string[]>;

/** A request that cannot be done as asked. Nothing was changed. The message is shown to the caller: it says what to do next. */
export class DomainError extends Error {
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    readonly details?: Details,
    /** Seconds after which a repeat makes sense. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

export const notFound = (what: string): DomainError =>
  new DomainError('not_found', `There is no such ${what}. Check the id, and that the key belongs to the same account and environment.`);

const NAMED = 10;
const DETAILED = 100;
const LONGEST_NAME = 100;

/** Well-formed, but wrong: messages per field. However wrong a request is, the answer stays readable: 100 fields at most, the first ten by name. */
export function invalid(details: Details): DomainError {
  const fields = Object.entries(details);
  const named = fields.slice(0, NAMED).map(([name]) => cut(name));
  const more = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  const shown = Object.fromEntries(fields.slice(0, DETAILED).map(([name, messages]) => [cut(name), messages]));
  return new DomainError(
    'validation_error',
    `The request is not valid: ${named.join(', ')}${more}. See details, mend and send it again.`,
    shown,
  );
}

const cut = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** Not possible in this status; names what is. */
export const invalidState = (what: string, status: string, availableActions: readonly string[], why = ''): DomainError =>
  new DomainError(
    'invalid_state',
    `${what} is not possible while the status is ${status}${why ? `: ${why}` : '.'} available_actions: ${availableActions.join(', ') || 'none'}.`,
  );
