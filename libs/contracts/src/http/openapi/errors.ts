import { ErrorResource, ProblemResource } from '../resources/error.ts';
import type { Route } from '../route.ts';
import type { Components } from './components.ts';
import { headerRefs } from './headers.ts';
import type { AnswerHeader } from './headers.ts';

interface Failure {
  name: string;
  description: string;
  /** Of the headers that only some answers have. */
  headers?: readonly AnswerHeader[];
}

const failures = {
  400: { name: 'BadRequest', description: 'Malformed JSON, a bad or unknown query parameter, a bad header.' },
  401: { name: 'Unauthorized', description: 'No valid API key.' },
  403: { name: 'Forbidden', description: 'The key lacks the permission, which the message names, or the account is suspended.' },
  404: { name: 'NotFound', description: 'No such thing in this account and environment.' },
  409: {
    name: 'Conflict',
    description: 'The idempotency key was used with another body, or its first request still runs.',
    headers: ['Retry-After'],
  },
  412: { name: 'PreconditionFailed', description: 'If-Match names another version than the current one.' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  422: {
    name: 'Unprocessable',
    description: 'Well-formed, but wrong (`validation_error`; details names each field), or not possible in this status (`invalid_state`).',
  },
  429: { name: 'TooManyRequests', description: 'A rate limit is exceeded.', headers: ['Retry-After'] },
  500: {
    name: 'InternalError',
    description: 'A defect; or `outcome_unknown`: it may have happened, repeat it with the same Idempotency-Key.',
  },
  503: { name: 'Unavailable', description: 'It was not done; repeat it later.', headers: ['Retry-After'] },
} as const satisfies Record<number, Failure>;
type Status = keyof typeof failures;

/** What a route can refuse with, by status. */
export function failuresOf({ method, path, body }: Route): Record<string, object> {
  const always: Status[] = [400, 401, 403, 429, 500, 503];
  const more: Status[] = [
    ...(path.includes('{') || path === '/fiscal-credentials' ? [404 as const] : []),
    ...(method === 'POST' ? [409 as const] : []),
    ...(method === 'GET' ? [] : [412 as const, 422 as const]),
    ...(body ? [413 as const, 415 as const] : []),
  ];
  const statuses = [...always, ...more].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${failures[status].name}` }]));
}

export function failureResponses(components: Components): Record<string, object> {
  const content = {
    'application/json': { schema: components.response(ErrorResource) },
    'application/problem+json': { schema: components.response(ProblemResource) },
  };
  const response = ({ description, headers }: Failure) => ({
    description,
    headers: headerRefs('X-Request-Id', ...limits, ...(headers ?? [])),
    content,
  });
  return Object.fromEntries(Object.values(failures).map((failure) => [failure.name, response(failure)]));
}

const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
