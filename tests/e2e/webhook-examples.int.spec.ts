import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ids as shownIds, times } from '@svc/contracts/openapi/examples/ids';
import { undescribed } from '@svc/contracts/openapi/testing/objects-in';
import { routeNames, routes, type RouteName } from '@svc/contracts/routes';
import { webhookEventTypes } from '@svc/contracts/webhook/vocabulary';
import { Engine } from '@svc/embedded';
import { ensureDemoAccount } from '@svc/gateway';
import { createIds, millisOf, systemClock, type Clock } from '@svc/kernel';
import { createLogger, Health, newKeyRing, parseKeyRing } from '@svc/service';
import { composeSystem, embeddedPorts } from '@svc/standalone/compose';
import { client, eventually, type Answer, type Call } from '@svc/testkit';
import { NO_PHASES } from '@svc/webhooks-dispatcher/sending/send';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readPublished, type Published } from './testing/published.ts';

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Documented {
  parameters: { name?: string; in?: string; $ref?: string; example?: unknown }[];
  requestBody?: { content: { 'application/json': Media } };
  responses: Record<string, object>;
}

/** The machine's clock on the day of the examples. */
const shift = millisOf(times.updated) - systemClock.now();
const clock: Clock = { ...systemClock, now: () => systemClock.now() + shift };

const folder = mkdtempSync(join(tmpdir(), 'webhook-examples-'));
const engine = Engine.open(folder, { durable: false });
let app: NestFastifyApplication;
let call: Call;
let published: Published;
let document: { paths: Record<string, Record<string, Documented>>; components: object };
/** By the id that examples show: that of a resource that there is. */
const real = new Map<string, string>();

beforeAll(async () => {
  const logger = createLogger({ level: 'silent', service: 'test' });
  const ring = parseKeyRing(newKeyRing());
  const composed = await composeSystem(
    {
      ...{ clock, ids: createIds(clock), logger, health: new Health(clock), ringOf: () => ring, publicUrl: 'https://api.example' },
      ...{ simulatorUrl: 'http://127.0.0.1:9', pace: 'fast', holder: 'test' },
      edge: { HOSTS: new Map(), REQUIRE_HTTPS: false, TRUSTED_PROXIES: [] },
      webhooks: {
        ...{ allowed: [], delays: [3_600_000], resolve: async () => ['93.184.216.34'] },
        send: async () => ({ status: 503, body: '', phases: NO_PHASES }), // so that deliveries wait, and a recovery runs
      },
    },
    embeddedPorts({ engine, clock, logger }),
  );
  ({ app } = composed);
  const demo = await ensureDemoAccount(composed.gateway.accounts, { plan: 'enterprise', email: 'demo@example.com' });
  await app.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  call = client(`${origin}/v1`, demo?.test_key);
  published = await readPublished(origin);
  document = (await client(origin)<typeof document>('GET', '/openapi.json')).body;
});
afterAll(async () => {
  await app?.close();
  engine.close();
  rmSync(folder, { recursive: true });
});

/** The routes that the dispatcher owns. */
const names = routeNames.filter((name) => routes[name].service === 'webhooks-dispatcher');
const documented = (name: RouteName): Documented => document.paths[routes[name].path]?.[routes[name].method.toLowerCase()] as Documented;
/** Its only change: ids of resources that there are. */
const filled = <T>(value: T): T =>
  JSON.parse([...real].reduce((text, [shown, id]) => text.replaceAll(shown, id), JSON.stringify(value))) as T;
const pathOf = (name: RouteName): string => {
  const { parameters } = documented(name);
  return routes[name].path.replaceAll(/\{(\w+)\}/g, (_, part) =>
    filled(String(parameters.find((one) => one.in === 'path' && one.name === part)?.example)),
  );
};

/** The bodies that the document shows for a route; undefined: none. */
function bodiesOf(name: RouteName): unknown[] {
  const { example, examples } = documented(name).requestBody?.content['application/json'] ?? {};
  return examples ? Object.values(examples).map(({ value }) => value) : [example];
}

/** What the API answers, with the status of a success and in the shape that the document has for it. */
async function sent<T = { id: string }>(name: RouteName, options: Parameters<Call>[2] = {}): Promise<T> {
  const answer: Answer<T> = await call<T>(routes[name].method, pathOf(name), options);
  const [success] = Object.keys(documented(name).responses).filter((status) => status.startsWith('2'));
  const validate = published.operations.find((one) => one.name === name)?.validAnswer(answer.status, 'application/json');
  const isValid = validate?.(answer.body);
  expect({ name, ...options, status: answer.status, isValid, text: isValid ? '' : answer.text.slice(0, 500) }).toEqual({
    ...{ name, ...options, status: Number(success), isValid: true, text: '' },
  });
  return answer.body;
}
const sendEach = async <T = { id: string }>(name: RouteName, before: (body: object) => Promise<unknown> = async () => undefined) => {
  const answers: T[] = [];
  for (const body of bodiesOf(name)) {
    await before(body as object);
    answers.push(await sent<T>(name, body === undefined ? {} : { body }));
  }
  return answers;
};
const customer = () => call('POST', '/customers', { body: { name: 'Blue Heron SL' } });
const newest = async (name: RouteName) =>
  eventually(async () => (await sent<{ data: { id: string; resource_id: string }[] }>(name)).data[0], `the first of ${name}`);

/** What each route needs before; in an order in which all of them succeed. */
const writes = new Map<RouteName, () => Promise<unknown>>([
  ['POST /webhooks', async () => real.set(shownIds.we, `${(await sendEach('POST /webhooks'))[0]?.id}`)],
  ['PATCH /webhooks/{id}', () => sendEach('PATCH /webhooks/{id}')],
  ['POST /webhooks/{id}/enable', () => sendEach('POST /webhooks/{id}/enable')],
  ['POST /webhooks/{id}/rotate-secret', () => sendEach('POST /webhooks/{id}/rotate-secret')],
  ['POST /webhooks/{id}/test', () => sendEach('POST /webhooks/{id}/test')],
  [
    'POST /webhooks/{id}/deliveries/{whd}/redeliver',
    async () => {
      await customer();
      const delivery = await newest('GET /webhooks/{id}/deliveries');
      real.set(shownIds.whd, delivery.id).set(shownIds.inv, delivery.resource_id);
      await sendEach('POST /webhooks/{id}/deliveries/{whd}/redeliver');
    },
  ],
  [
    'POST /webhooks/{id}/recover',
    async () => {
      const recovery = async () => (await sent<{ recovery: { status: string } | null }>('GET /webhooks/{id}')).recovery;
      const answers = await sendEach<{ matched: number; status: string }>('POST /webhooks/{id}/recover', async (body) => {
        if (!('stop' in body)) await eventually(async () => (await recovery())?.status !== 'running', 'the end of the recovery before');
      });
      const [counted, , all, stopped] = answers;
      expect([counted?.matched, all?.status, stopped?.status]).toEqual([2, 'running', 'stopped']);
    },
  ],
]);

describe('the examples of the published document succeed as they are', () => {
  beforeAll(async () => {
    await customer();
    real.set(shownIds.evt, (await newest('GET /events')).id);
  });

  test.each([...writes])('%s', async (_name, send) => {
    await send();
  });

  test.each(names.filter((name) => routes[name].method === 'GET'))('%s, with each of its parameters', async (name) => {
    const shown = documented(name).parameters.filter((one) => one.in === 'query');
    await sent(name);
    for (const { name: parameter = '', example } of shown) {
      const text = (value: unknown): string => String(filled(value)); // lists are divided by commas
      const after = shown.find((one) => one.name === 'after');
      const beside: [string, string][] = parameter === 'wait' ? [['after', text(after?.example)]] : [];
      await sent(name, { query: Object.fromEntries([...beside, [parameter, text(example)]]) });
    }
  });

  test('DELETE /webhooks/{id}, the last one', async () => {
    await sendEach('DELETE /webhooks/{id}');
  });

  test('each route that writes is among them, and every parameter of a path or query has an example', () => {
    const walked = [...writes.keys(), 'DELETE /webhooks/{id}'];
    expect(names.filter((name) => routes[name].method !== 'GET').toSorted()).toEqual(walked.toSorted());
    for (const name of names) {
      const own = documented(name).parameters.filter((one) => one.in === 'path' || one.in === 'query');
      expect([name, own.filter((one) => one.example === undefined)]).toEqual([name, []]);
    }
  });
});

test('every type of events has a description of each field, and an example that its schema and the document take', async () => {
  interface Type {
    type: string;
    schema: Record<string, unknown>;
    example: Record<string, unknown>;
  }
  const { data } = await sent<{ data: Type[] }>('GET /event-types', { query: { per_page: 100 } });
  expect(data.map(({ type }) => type)).toEqual([...webhookEventTypes]);
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema({ $id: 'doc', ...document }, 'doc');
  for (const { type, schema, example } of data) {
    expect([type, ajv.validate(schema, example), ajv.errors, undescribed(schema)]).toEqual([type, true, null, []]);
    const published = ajv.getSchema(`doc#/webhooks/${type}/post/requestBody/content/application~1json/schema`);
    expect([type, published?.(example), published?.errors ?? null]).toEqual([type, true, null]);
  }
});
