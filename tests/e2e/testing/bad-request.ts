import type { RouteName } from '@svc/contracts/routes';
import { badHeaders, badJson, badQuery, hostileJson, noObject, otherTypes } from './bad-parts.ts';
import type { Operation, Published } from './published.ts';
import type { Random } from './random.ts';
import { corrupt } from './corrupt.ts';
import { bodyFor, unknownId, pathIn, type ApiFixture } from './api-fixture.ts';

/** An HTTP request. */
export interface Wire {
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** One error of a request: the step of the checks that finds it, and the expected response. */
export interface Breakage {
  what: string;
  step: number;
  status: number[];
  code: string[];
  /** Path of the wrong field. */
  field?: string;
}

/** The order of the checks: path, size, type, JSON, query and headers, schema, resource, If-Match. */
export const STEPS = { path: 4, size: 6.1, type: 6.2, json: 6.3, query: 7, schema: 9, resource: 10, match: 11 };

const CODES: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  412: 'version_conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

export interface Case {
  wire: Wire;
  breakages: Breakage[];
  /** The body was changed but still fits the published schema; the service may refuse it. */
  isCorrupted: boolean;
}

const wrong = (what: string, step: number, ...status: number[]): Breakage => ({
  what,
  step,
  status,
  code: status.map((one) => CODES[one] ?? 'validation_error'),
});

/** A request to the operation with none, one or two errors. */
export function makeCase(operation: Operation, fixture: ApiFixture, resolve: Published['resolve'], chance: Random): Case {
  const { name } = operation;
  const wire: Wire = {
    path: pathIn(name, name === 'PATCH /invoices/{id}' ? { ...fixture, invoice: fixture.draft } : fixture),
    query: '',
    headers: { 'content-type': 'application/json' },
    body: undefined,
  };
  const breakages: Breakage[] = [];
  let isCorrupted = false;
  const body = operation.body && structuredClone(bodyFor(name as RouteName, fixture));
  if (body) wire.body = Buffer.from(JSON.stringify(body));
  else delete wire.headers['content-type'];

  const spoilBody = (): void => {
    if (!body) return;
    const field = corrupt(body, operation.body, resolve, chance);
    wire.body = Buffer.from(JSON.stringify(body));
    isCorrupted = true;
    const rows = name.endsWith('/batch') && Array.isArray(body['requests']) ? body['requests'] : undefined;
    const entriesDecide =
      rows &&
      rows.length > 0 &&
      rows.length <= 100 &&
      Object.keys(body).length === 1 &&
      rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));
    if (!entriesDecide && !operation.validBody?.(body)) breakages.push({ ...wrong(`field ${field}`, STEPS.schema, 422), field });
  };
  const kinds: (() => void)[] = [
    () => {
      wire.query = badQuery(operation, chance);
      breakages.push(wrong(`query ${wire.query}`, STEPS.query, 400));
    },
    () => {
      const headers = badHeaders(operation, chance);
      if (!headers) return;
      Object.assign(wire.headers, headers);
      breakages.push(wrong(`headers ${JSON.stringify(headers).slice(0, 60)}`, STEPS.query, 400));
    },
    () => {
      if (!/\{id\}/.test(operation.path)) return;
      const id = chance.pick([
        unknownId('inv'),
        unknownId('cust'),
        'x',
        '%20',
        '0',
        'x'.repeat(80),
        '..%2f..%2fetc',
        "'%20or%201=1",
        '%F0%9F%92%A9',
        'null',
      ]);
      wire.path = operation.path.replace('{id}', id).replace(/\{\w+\}/, 'x');
      breakages.push(wrong(`id ${id}`, STEPS.resource, 404));
    },
    () => {
      if (!operation.parameters.some((parameter) => parameter.name === 'If-Match') || wire.headers['if-match']) return;
      wire.headers['if-match'] = '"987654"';
      breakages.push(wrong('stale If-Match', STEPS.match, 412));
    },
    ...(body ? Array.from({ length: 8 }, () => spoilBody) : []),
    ...(body
      ? [
          () => {
            const type = chance.pick(otherTypes);
            if (type === undefined) delete wire.headers['content-type'];
            else wire.headers['content-type'] = type;
            breakages.push(wrong(`type ${type}`, STEPS.type, 415));
          },
          () => {
            wire.body = badJson(JSON.stringify(body), chance);
            breakages.push(wrong(`malformed ${wire.body.toString().slice(0, 40)}`, STEPS.json, 400));
          },
          () => {
            const text = chance.pick(hostileJson);
            wire.body = Buffer.from(text);
            breakages.push(wrong(`hostile ${text.slice(0, 40)}`, STEPS.json, 400, 422));
          },
          () => {
            const text = JSON.stringify(body);
            if (name.endsWith('/batch') || !/:\d/.test(text)) return; // Each entry of a batch is answered by itself.
            wire.body = Buffer.from(text.replace(/:[\d.]+/, ':1234567890.1234567'));
            breakages.push(wrong('a number of 17 digits', STEPS.schema, 422));
          },
          () => {
            const text = chance.pick(noObject);
            wire.body = Buffer.from(text);
            breakages.push(wrong(`no object ${text}`, STEPS.schema, 422));
          },
          () => {
            if (chance.next() > 0.15) return;
            const limit = (name.includes('/batch') ? 1024 : 256) * 1024;
            wire.body = Buffer.alloc(limit + 1 + chance.below(1000), ' ');
            breakages.push(wrong('too large', STEPS.size, 413));
          },
        ]
      : []),
  ];
  chance.pick(kinds)();
  if (chance.next() < 0.25) chance.pick(kinds.slice(0, 4))();
  if (chance.next() < 0.1) wire.headers['accept'] = 'application/problem+json';
  breakages.sort((a, b) => a.step - b.step);
  return { wire, breakages, isCorrupted };
}
