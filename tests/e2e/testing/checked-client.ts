import { ProblemResource } from '@svc/contracts/http/error';
import { responseProblems } from '@svc/contracts/testing/validate-response';
import { routeNames, type RouteName } from '@svc/contracts/routes';
import { validatorOf } from '@svc/contracts/schema/ajv';
import { client, type Answer, type Call } from '@svc/testkit';

/** A response with its route; undefined for a path without a route. */
export interface Seen {
  route: RouteName | undefined;
  method: string;
  path: string;
  answer: Answer<{ error?: { code: string; request_id: string; details?: Record<string, string[]> }; version?: number }>;
}

const patterns = routeNames
  .map((name) => ({ name, form: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.name.split('{').length - b.name.split('{').length);

/** `('GET', '/invoices/inv_1')` → `GET /invoices/{id}`; a literal segment wins over a parameter. */
const routeOf = (method: string, path: string): RouteName | undefined =>
  patterns.find(({ form }) => form.test(`${method} ${path.split('?')[0]}`))?.name;

/** A client for /v1 that reports every response to `onAnswer`. */
export function recordingClient(origin: string, key: string | undefined, onAnswer: (seen: Seen) => void): Call {
  const call = client(`${origin}/v1`, key);
  return async <T>(method: string, path: string, options?: Parameters<Call>[2]) => {
    const answer = await call<T>(method, path, options);
    onAnswer({ route: routeOf(method, path), method, path, answer: answer as Seen['answer'] });
    return answer;
  };
}

/** A client for /v1 that checks every response against the published shapes and headers, and throws on a difference. */
export const checkedClient = (origin: string, key?: string): Call =>
  recordingClient(origin, key, (seen) => {
    const problems = problemsOf(seen);
    if (problems.length > 0) throw new Error(`${describeAnswer(seen)}\n  ${problems.slice(0, 5).join('\n  ')}`);
  });

/** A response in one line. */
export const describeAnswer = ({ method, path, answer }: Seen): string =>
  `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 600)}`;

/** How a response violates the contract of its route. */
export function problemsOf({ route, answer }: Seen): string[] {
  const { status, headers, body } = answer;
  return [
    ...headerProblems(answer),
    ...(status < 400 && route === undefined ? ['no route of the table has this path'] : []),
    ...bodyProblems(route, answer),
    ...(status < 400 && typeof body?.version === 'number' && headers.get('etag') !== `"${body.version}"`
      ? [`etag: is ${headers.get('etag')}, version ${body.version}`]
      : []),
  ];
}

function bodyProblems(route: RouteName | undefined, { status, headers, body }: Seen['answer']): string[] {
  if (headers.get('content-type')?.startsWith('application/problem+json')) {
    const validate = validatorOf(ProblemResource);
    return validate(body) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  }
  const problems = responseProblems(route ?? 'GET /account', status, body);
  const id = body?.error?.request_id;
  return id !== undefined && id !== headers.get('x-request-id') ? [...problems, `request_id ${id} is not the header's`] : problems;
}

function headerProblems({ status, headers, body }: Seen['answer']): string[] {
  const wants: [string, RegExp][] = [
    ['content-type', /^application\/(?:problem\+)?json(?:;|$)/],
    ['x-request-id', /^req_[0-9a-hjkmnp-tv-z]{26}$/],
    ['x-ratelimit-limit', /^\d+$/],
    ['x-ratelimit-remaining', /^\d+$/],
    ['x-ratelimit-reset', /^\d+$/],
    ...(status === 429 || status === 503 || body?.error?.code === 'idempotency_key_in_use'
      ? ([['retry-after', /^[1-9]\d*$/]] as const)
      : []),
    ...(status === 405 ? ([['allow', /[A-Z]/]] as const) : []),
  ].map(([name, form]) => [name as string, form as RegExp]);
  return wants.filter(([name, form]) => !form.test(headers.get(name) ?? '')).map(([name]) => `header ${name}: ${headers.get(name)}`);
}
