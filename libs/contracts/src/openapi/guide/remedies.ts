import type { failures, FailureStatus } from '../failures.ts';

export type FailureCode = { [Status in FailureStatus]: keyof (typeof failures)[Status]['codes'] }[FailureStatus];

/** What a client does about each error code. Markdown. */
export const remedies: Record<FailureCode, string> = {
  invalid_request:
    'Fix the request: `details` names the parameter or header, the message what was expected. It fails in the same way until it is changed.',
  https_required: 'Call by `https`, and rotate the key by `POST /v1/api-keys/rotate`: it was sent in the clear.',
  invalid_api_key:
    'Send one key, whole, as `Authorization: Bearer <key>`. A key is shown once; a lost one is replaced in the dashboard. A test key and a live key do not open each other’s host.',
  insufficient_permissions: 'Use a key that has the permission which the message names, or let an owner of the account add it to this one.',
  account_suspended: 'Nothing is lost. The operator of the service says why, and ends it.',
  not_found:
    'Check the path, and that the id was made in this account and environment: a test key does not see live data. Ids are opaque and never reused.',
  method_not_allowed: 'Use a method that `Allow` names.',
  idempotency_key_reused: 'Take a new key for a new request. To repeat the first, send the very same method, path, query and body.',
  idempotency_key_in_use: 'Wait for `Retry-After`, then repeat with the same key: the answer of the first request comes.',
  version_conflict: 'Read the resource again, apply the change to what it is now, and send its new `ETag` in `If-Match`.',
  payload_too_large: 'Send less: a body has at most 256 KiB, a batch at most 1 MiB. Divide a batch, or the lines over several documents.',
  unsupported_media_type: 'Send JSON as `Content-Type: application/json`, in UTF-8, without `Content-Encoding`.',
  validation_error:
    'Fix the fields that `details` names, each by the path that it has in the body, such as `items.0.unit_price`. Nothing was stored, no number was spent.',
  invalid_state:
    'Do what `available_actions` of the resource offers instead. Its states, and what leads from one to the other, are in the [reference](/docs#states).',
  storage_quota_exceeded:
    'Take a larger plan. Reads, submissions, voids and payments go on meanwhile; `X-Storage-Used` warns from 80 % on.',
  not_representable:
    'Use the PDF, or make the document anew in a form that UBL can say: `details` names the field. `rounding: "line"` avoids most of it.',
  rate_limit_exceeded:
    'Wait for `Retry-After` seconds, then longer each time. `RateLimit` says what is left of each limit before it is used up. A batch counts less than its items one by one.',
  internal_error: 'Repeat with the same `Idempotency-Key`. If it fails again, send the `request_id` to support.',
  outcome_unknown: 'Repeat with the same `Idempotency-Key`: what happened is not done twice, and the answer says what came of it.',
  service_unavailable: 'Wait for `Retry-After`, then repeat. Nothing was done, so a repeat is safe with and without an `Idempotency-Key`.',
};
