import { ErrorResource } from '../http/error.ts';
import type { Route } from '../http/route.ts';
import { schemaOf } from '../schema/json-schema.ts';
import type { Components } from './components.ts';
import { exampleOf } from './examples/index.ts';
import { codesOf, type Failure, failures, type FailureStatus } from './failures.ts';
import { headerRefs } from './headers.ts';

/** The statuses at which a client does something of its own: read again, send something else, wait. The others are in the response of their class. */
const special = ['409', '412', '422', '429'] as const satisfies `${FailureStatus}`[];
const classes = { '4XX': 'ClientError', '5XX': 'ServerError' } as const;

/** The error responses of a route, by status. */
export function failuresOf({ method }: Route): Record<string, object> {
  const statuses = [...(method === 'POST' ? ['409'] : []), ...(method === 'GET' ? [] : ['412', '422']), '429', '4XX', '5XX'];
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]));
}

const nameOf = (status: string): string => classes[status as keyof typeof classes] ?? failures[Number(status) as FailureStatus].name;

/** The responses of errors. `own`: statuses that have one each; the others share that of their class. */
export function failureResponses(
  components: Components,
  table: Record<FailureStatus, Failure> = failures,
  own: readonly `${FailureStatus}`[] = special,
): Record<string, object> {
  const others = Object.entries(table).filter(([status]) => !(own as readonly string[]).includes(status));
  const all: [string, Failure[]][] = [
    ...own.map((status): [string, Failure[]] => [status, [table[status]]]),
    ...Object.keys(classes).map((name): [string, Failure[]] => [
      name,
      others.filter(([status]) => status[0] === name[0]).map(([, failure]) => failure),
    ]),
  ];
  return Object.fromEntries(all.map(([status, found]) => [nameOf(status), response(status, found, components)]));
}

function response(status: string, found: Failure[], components: Components): object {
  const [first] = found;
  const [code] = Object.keys(first?.codes ?? {});
  return {
    description: found.map((failure) => `${failure.description} ${codesOf(failure)}`).join('\n\n'),
    headers: headerRefs('X-Request-Id', ...limits, ...new Set(found.flatMap(({ headers = [] }) => headers))),
    content: {
      'application/json': {
        schema: components.response(schemaOf(ErrorResource)),
        example: status === '422' ? exampleOf(ErrorResource) : plain(code),
      },
    },
  };
}

/** An error without details. */
const plain = (code = '') => {
  const { error } = exampleOf(ErrorResource) as { error: { request_id: string } };
  return { error: { code, message: 'What is wrong, and what to do next.', request_id: error.request_id } };
};

const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
