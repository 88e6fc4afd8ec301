import { decimalsIn } from '@svc/contracts/route-decimals';
import { openApiDocument } from '@svc/contracts/openapi/document';
import { type RouteName, routeNames, routes } from '@svc/contracts/routes';
import { client, type System } from '@svc/testkit';
import { openAccount, servedRoutes } from '../accounts.ts';
import { problemsOf, describeAnswer, type Seen } from '../checked-client.ts';
import { readPublished, readPublishedAsText, type Published } from '../published.ts';
import { FAULT_CODES, provokeErrors } from '../errors.ts';
import { tour, type Toured } from '../tour.ts';
import type { Shared } from './shared-system.ts';

const CODES =
  'invalid_request https_required invalid_api_key insufficient_permissions account_suspended not_found method_not_allowed payload_too_large ' +
  'unsupported_media_type idempotency_key_reused idempotency_key_in_use version_conflict validation_error invalid_state rate_limit_exceeded';

/** Holds every response to the published OpenAPI document. */
export function testPublishedDocument(shared: () => Shared): void {
  let system: System;
  let published: Published;
  let toured: Toured;
  const seen: Seen[] = [];
  beforeAll(async () => {
    system = shared().system;
    published = await readPublished(system.url);
    toured = await tour(system, shared().receiver.origin, (one) => seen.push(one));
    await provokeErrors(system, (one) => seen.push(one));
  });

  test('every route of the document can be called with success', () => {
    expect(toured.refused).toEqual([]);
    const answered = new Set(seen.filter(({ answer }) => answer.status < 400).map(({ route }) => route as string));
    expect(published.operations.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
  });

  test('every error code is returned once', () => {
    const codes = new Set(seen.flatMap(({ answer: { body } }) => body.error?.code ?? []));
    expect(CODES.split(' ').filter((code) => !codes.has(code))).toEqual([]);
    expect([...codes].filter((code) => FAULT_CODES.includes(code))).toEqual([]);
  });

  test('every response has the headers and the shape of its route', () => {
    const wrong = seen.flatMap((one) =>
      problemsOf(one)
        .slice(0, 3)
        .map((problem) => `${problem}; ${describeAnswer(one)}`),
    );
    expect(wrong).toEqual([]);
  });

  test('every response is valid by the document alone', () => {
    const problems = seen.flatMap(({ route, answer: { status, headers, body, text } }) => {
      const operation = published.operations.find(({ name }) => name === route);
      if (!operation) return status < 400 ? [`${route} is not in the document`] : [];
      const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
      if (mediaType === 'application/problem+json') return []; // in words; every response above has the shape of its class
      const validate = operation.validAnswer(status, mediaType);
      if (!validate) return [`${route}: ${status} ${mediaType} is not in the document`];
      if (validate(body)) return [];
      return [`${route} ${status}: ${JSON.stringify(validate.errors?.slice(0, 3))} ${text.slice(0, 300)}`];
    });
    expect([...new Set(problems)]).toEqual([]);
  });

  test('every amount is text where that is preferred, and nothing else is', async () => {
    const { operations } = await readPublishedAsText(system.url);
    const call = client(`${system.url}/v1`, toured.account.testKey);
    const paths = new Map(
      seen.flatMap(({ route, method, path, answer }) => (method === 'GET' && answer.status === 200 ? [[path, route]] : [])),
    );
    const applied = new Set<string | undefined>();
    for (const [path, route] of paths) {
      const answer = await call('GET', path, { headers: { prefer: 'amounts=string' } });
      if (answer.status !== 200) continue; // of another account, or gone since
      if (answer.headers.get('preference-applied') === 'amounts=string') applied.add(route);
      const validate = operations.find(({ name }) => name === route)?.validAnswer(200, 'application/json');
      expect([path, validate?.(answer.body), validate?.errors?.slice(0, 3)]).toEqual([path, true, undefined]);
    }
    expect(routeNames.filter((name) => name.startsWith('GET ') && decimalsIn(name).size > 0).sort()).toEqual([...applied].sort());
  });

  test('the document has exactly the served routes of the table', async () => {
    const served = new Set(await servedRoutes(system));
    expect([...served].filter((name) => !(routeNames as string[]).includes(name))).toEqual([]);
    const { test: call } = await openAccount(system, 'Other');
    for (const name of routeNames.filter((one) => !served.has(one))) {
      const path = routes[name].path.replaceAll(/\{\w+\}/g, 'x');
      const { status, body } = await call<{ error: { code: string } }>(routes[name].method, path, routes[name].body ? { body: {} } : {});
      // Its path may match a served route (/invoices/preview matches /invoices/{id}): then it is an unknown id, or the method is not allowed.
      const methods = [...served].filter((one) => formOf(one).test(path)).map((one) => one.split(' ')[0] as string);
      const allowed = methods.length === 0 || methods.includes(routes[name].method);
      expect([name, status, body.error.code]).toEqual([name, ...(allowed ? [404, 'not_found'] : [405, 'method_not_allowed'])]);
    }
  });

  /** The pattern of a route's path. */
  const formOf = (name: string): RegExp => new RegExp(`^${name.slice(name.indexOf(' ') + 1).replaceAll(/\{\w+\}/g, '[^/]+')}$`);

  test('the bundled program names the schemas as the source does', async () => {
    const { body } = await client(system.url)<{ components: { schemas: object } }>('GET', '/openapi.json');
    const served = new Set((await servedRoutes(system)) as RouteName[]);
    const source = openApiDocument({ served, publicUrl: system.url, version: 'v1' }) as typeof body;
    expect(Object.keys(body.components.schemas).sort()).toEqual(Object.keys(source.components.schemas).sort());
  });

  test('the document has no unresolved references', async () => {
    const { body: document, text } = await client(system.url)<{
      openapi: string;
      servers: object[];
      paths: Record<string, Record<string, { operationId: string }>>;
    }>('GET', '/openapi.json');
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([expect.objectContaining({ url: expect.stringMatching(/^http.*\/v1$/) })]);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(operations).size).toBe(operations.length);
    const parsed: unknown = JSON.parse(text);
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer?.split('/').reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], parsed);
      expect([pointer, typeof target]).toEqual([pointer, 'object']);
    }
    expect((await fetch(`${system.url}/docs`)).status).toBe(200);
    // The dashboard is of the host of PUBLIC_URL alone, and names it elsewhere.
    expect((await fetch(system.url.replace('127.0.0.1', 'localhost'))).status).toBe(200);
    expect((await fetch(`${system.url}/`)).status).toBe(200);
  });
}
