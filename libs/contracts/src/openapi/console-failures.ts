import { type Failure, failures } from './failures.ts';

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
