import { ErrorResource, ProblemResource } from '../http/error.ts';
import type { Route } from '../http/route.ts';
import type { Components } from './components.ts';
import { exampleOf } from './examples/index.ts';
import { codesOf, type Failure, failures, type FailureStatus } from './failures.ts';
import { headerRefs } from './headers.ts';

/** The error responses of a route, by status. */
export function failuresOf({ method, path, body }: Route): Record<string, object> {
  const always: FailureStatus[] = [400, 401, 403, 405, 429, 500, 503];
  const more: FailureStatus[] = [
    ...(path.includes('{') || path === '/fiscal-credentials' ? [404 as const] : []),
    ...(method === 'POST' ? [409 as const] : []),
    ...(method === 'GET' ? [] : [412 as const, 422 as const]),
    ...(body ? [413 as const, 415 as const] : []),
  ];
  const statuses = [...always, ...more].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${failures[status].name}` }]));
}

export function failureResponses(components: Components): Record<string, object> {
  const response = (status: string, failure: Failure) => {
    const [code] = Object.keys(failure.codes);
    const isWrongField = status === '422';
    return {
      description: `${failure.description} ${codesOf(failure)}`,
      headers: headerRefs('X-Request-Id', ...limits, ...(failure.headers ?? [])),
      content: {
        'application/json': {
          schema: components.response(ErrorResource),
          ...(isWrongField ? { example: exampleOf(ErrorResource) } : plain(code)),
        },
        'application/problem+json': {
          schema: components.response(ProblemResource),
          ...(isWrongField ? { example: exampleOf(ProblemResource) } : {}),
        },
      },
    };
  };
  return Object.fromEntries(Object.entries(failures).map(([status, failure]) => [failure.name, response(status, failure)]));
}

/** An error without details. */
const plain = (code = '') => {
  const { error } = exampleOf(ErrorResource) as { error: { request_id: string } };
  return { example: { error: { code, message: 'What is wrong, and what to do next.', request_id: error.request_id } } };
};

const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
