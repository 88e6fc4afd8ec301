/** An error status, its codes, and when each is answered. The document takes its errors from this list only. */
export interface Failure {
  name: string;
  description: string;
  codes: Record<string, string>;
  /** Headers that only these responses have. */
  headers?: readonly ('Retry-After' | 'Allow')[];
}

export const failures = {
  400: {
    name: 'BadRequest',
    description: 'The request cannot be read.',
    codes: {
      invalid_request: 'Malformed JSON or URL, a bad or unknown query parameter, a bad header.',
      https_required: 'It came by plain http. The key has leaked: rotate it.',
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'No valid API key.',
    codes: {
      invalid_api_key:
        'No key, one that is malformed, unknown, revoked or expired, one of the other environment’s host, or two that differ.',
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The key may not do this.',
    codes: {
      insufficient_permissions: 'The key lacks the permission that the message names.',
      account_suspended: 'The account is suspended.',
    },
  },
  404: {
    name: 'NotFound',
    description: 'No such thing in this account and environment.',
    codes: { not_found: 'Unknown path, or an id that this account does not have in this environment.' },
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not take this method; see `Allow`.',
    codes: { method_not_allowed: 'The path is known, but not with this method.' },
    headers: ['Allow'],
  },
  409: {
    name: 'Conflict',
    description: 'The `Idempotency-Key` is taken.',
    codes: {
      idempotency_key_reused: 'The key was used with another request.',
      idempotency_key_in_use: 'The first request with this key still runs.',
    },
    headers: ['Retry-After'],
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource has changed since it was read.',
    codes: { version_conflict: '`If-Match` names another version than the current one.' },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is too large. It is answered before the body is read whole, with `Connection: close`.',
    codes: { payload_too_large: 'The body has more than 256 KiB, or 1 MiB in a batch.' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON.',
    codes: { unsupported_media_type: 'A body that is not `application/json` (`application/…+json` is).' },
  },
  422: {
    name: 'Unprocessable',
    description: 'Well-formed, but not possible.',
    codes: {
      validation_error: 'Fields are wrong; `details` names each, `issues` says the same for programs.',
      invalid_state: 'Not possible in this status; the message names the status and `available_actions`.',
      storage_quota_exceeded:
        'The account has stored as much as it may: nothing is created. Never for reads, submissions, voids and payments; never kept under an `Idempotency-Key`.',
      not_representable: 'UBL by EN 16931 has no place for an amount of this document; `details` names the field.',
    },
  },
  429: {
    name: 'TooManyRequests',
    description: 'A rate limit is exceeded.',
    codes: {
      rate_limit_exceeded: 'A limit has nothing left, which `details.limit` names; repeat after `Retry-After`. Nothing was counted.',
    },
    headers: ['Retry-After'],
  },
  500: {
    name: 'InternalError',
    description: 'Something went wrong here.',
    codes: {
      internal_error: 'A defect. Tell support the `request_id`.',
      outcome_unknown: 'It may have happened. Repeat it with the same `Idempotency-Key`.',
    },
  },
  503: {
    name: 'Unavailable',
    description: 'It was not done.',
    codes: {
      service_unavailable:
        'Nothing was executed; repeat it after `Retry-After`. Where a number is given (submitting an invoice, creating a receipt) also while the clock of a server is surely ahead: the document would be dated wrongly.',
    },
    headers: ['Retry-After'],
  },
} as const satisfies Record<number, Failure>;

export type FailureStatus = keyof typeof failures;

export const codesOf = (failure: Failure): string =>
  Object.entries(failure.codes)
    .map(([code, when]) => `\`${code}\`: ${when}`)
    .join(' ');

/** The errors of the dashboard's interface: those of the API, with those of sessions in place of those of keys. */
export const consoleFailures = {
  ...failures,
  401: {
    name: 'Unauthorized',
    description: 'No session is open, or what was given to prove it is wrong.',
    codes: {
      invalid_session: 'No session, or it has ended: sign in.',
      invalid_credentials:
        'Signing in, step-up, a change of the password, two factors: a wrong e-mail, password, code or link. One answer for all; a session stays.',
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The member may not do this, or not now.',
    codes: {
      insufficient_permissions: 'The role lacks the permission that the message names.',
      account_suspended: 'The account is suspended.',
      origin_not_allowed: 'A write whose `Origin` is not that of the dashboard.',
      session_incomplete: 'A password, the code or two factors have to be given first; the message says which.',
      step_up_required: 'Password or code have to be given again: `POST /console/session/step-up`, then repeat it.',
    },
  },
  409: {
    ...failures[409],
    description: 'The `Idempotency-Key` is taken, or the session acts as another member.',
    codes: {
      ...failures[409].codes,
      session_changed: 'The session acts as another member than `X-Member` names: read `GET /console/me` again.',
    },
  },
} as const satisfies Record<number, Failure>;
