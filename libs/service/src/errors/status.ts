import type { DomainErrorCode } from '@svc/kernel';

const statuses: Record<DomainErrorCode, number> = {
  invalid_request: 400,
  https_required: 400,
  invalid_api_key: 401,
  invalid_session: 401,
  invalid_credentials: 401,
  session_incomplete: 403,
  step_up_required: 403,
  origin_not_allowed: 403,
  insufficient_permissions: 403,
  account_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  idempotency_key_in_use: 409,
  session_changed: 409,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  invalid_state: 422,
  not_representable: 422,
  storage_quota_exceeded: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  outcome_unknown: 500,
  service_unavailable: 503,
};

/** The HTTP status of a domain error. Only this file knows it. */
export const statusOf = (code: DomainErrorCode): number => statuses[code];
