import { resourceIn } from '../http/batch.ts';
import { decimalsOf } from '../route-decimals.ts';
import { ResourceHead } from '../http/head.ts';
import type { Route } from '../http/route.ts';
import type { Schema } from '../schema/decorators/rule.ts';
import { schemaOf } from '../schema/json-schema.ts';

const whole = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const header = (schema: Schema, description: string) => ({ schema, description });

export const answerHeaders = {
  'X-Request-Id': header(text, 'Made here; stands in every error.'),
  'X-RateLimit-Limit': header(whole, 'Most requests per window, of the limit with the fewest left.'),
  'X-RateLimit-Remaining': header(whole, 'Requests left in the window.'),
  'X-RateLimit-Reset': header(whole, 'When the window ends, in seconds since 1970.'),
  'RateLimit-Policy': header(text, 'Every limit that counts this request.'),
  RateLimit: header(text, 'What is left of each.'),
  Allow: header(text, 'The methods that the path takes.'),
  'Retry-After': header(
    whole,
    'Seconds after which a repeat makes sense. On the answer to a batch: some items failed for the time being, and a repeat with the same `Idempotency-Key` carries them out.',
  ),
  'X-Storage-Used': header(
    { type: 'number', format: 'double' },
    'The used part of the storage of the account, from 0.80 on; 1.00: nothing can be created.',
  ),
  'Svc-As-Of': header(
    { type: 'string', format: 'date-time' },
    'While the disk is full: the list holds everything that was created before this time, and may lack what came later. Go on from it. Absent: it holds all that was acknowledged before the request.',
  ),
  ETag: header(text, 'The version of the resource, in quotes.'),
  'Idempotent-Replayed': header(text, '`true` when this is the kept answer to an earlier request.'),
  'Preference-Applied': header(
    text,
    'What of `Prefer` was followed: `wait=N`, how long was waited at most (absent: the answer came at once); `amounts=string`.',
  ),
} as const;
export type AnswerHeader = keyof typeof answerHeaders;

export const headerRefs = (...names: AnswerHeader[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const common = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Storage-Used',
] as const;

/** Headers of a route's successful response. */
export const headersOf = (route: Route): Record<string, object> =>
  headerRefs(
    ...common,
    ...(versioned(route) ? (['ETag'] as const) : []),
    ...(route.isWhole ? (['Svc-As-Of'] as const) : []),
    ...(route.method === 'POST' ? (['Idempotent-Replayed'] as const) : []),
    ...(route.waits || hasDecimals(route) ? (['Preference-Applied'] as const) : []),
    ...(resourceIn(route.response) ? (['Retry-After'] as const) : []),
  );

const parameter = (name: string, schema: Schema, description: string) => ({ name, in: 'header', required: false, schema, description });

const WAIT =
  '`wait=N`: wait up to N seconds, at most 25, for the outcome at the tax authority. A receipt waits for `fiscal.verification_url` alone where its authority takes records together, or answers neither it nor other documents. Where 100 requests of the account wait already, or too many of all accounts, the answer comes at once, without `Preference-Applied`: read the document later, or take the webhook.';
const AMOUNTS =
  '`amounts=string`: every amount, price, quantity and rate in the answer is text with all its digits, without an exponent, for languages whose numbers hold 15 of them. A repeat under an `Idempotency-Key` has the form of the first answer.';

/** Headers that a client may send. */
export const requestHeaders = {
  IdempotencyKey: parameter(
    'Idempotency-Key',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    'With the same key a repeat is not done again: the first answer is kept for 48 hours.',
  ),
  IfMatch: parameter(
    'If-Match',
    { type: 'string', maxLength: 1024 },
    'The ETag of the version that is to be changed; another is answered with 412.',
  ),
  Prefer: parameter('Prefer', { type: 'string', maxLength: 255 }, `${WAIT} ${AMOUNTS}`),
  PreferAmounts: parameter('Prefer', { type: 'string', maxLength: 255 }, AMOUNTS),
} as const;

export const requestHeadersOf = (route: Route): object[] =>
  [
    ...(route.method === 'POST' ? ['IdempotencyKey'] : []),
    ...(route.method !== 'GET' && versioned(route) && route.path.split('{').length <= 2 && route.ok === 200 ? ['IfMatch'] : []),
    ...(route.waits ? ['Prefer'] : hasDecimals(route) ? ['PreferAmounts'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));

const hasDecimals = ({ response }: Route): boolean => !decimalsOf(schemaOf(response)).next().done;

/** True if the response is a resource with a version. */
const versioned = ({ response }: Route): boolean => response.prototype instanceof ResourceHead;
