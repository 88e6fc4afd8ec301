import { verifyWebhook } from '@svc/client';
import type { startCollector } from '@svc/service/telemetry/testing/collector';
import { eventually, type Call, type System } from '@svc/testkit';
import { openAccount } from './accounts.ts';
import { type AtRest, bytesAtRest } from './at-rest.ts';
import type { startSecretSubscriber } from './secret-subscriber.ts';
import { spelledIn } from './spellings.ts';

/** Of the header of an endpoint: values that it has had, and one that was refused. */
const values = ['first', 'second', 'third', 'refused'].map((word) => `Zz${word}-value+of/the?header`);
const [first, second, third, refused] = values as [string, string, string, string];
/** In clear in the rows that have the secrets: the search finds it. */
const DESCRIPTION = 'Zz the shop in clear';
const attempts = 6;

type Endpoint = { id: string; secret: string };
interface Deliveries {
  data: { id: string; status: string; attempts: { error: string | null; response_body: string | null }[] }[];
}

/** What is left of the endpoints' secrets and headers, and where. */
interface Exposed {
  subscriber: Awaited<ReturnType<typeof startSecretSubscriber>>;
  /** Of the endpoint that receives, in the order of their making. */
  secrets: string[];
  /** Every answer but those that show a secret. */
  answers: string[];
  /** What is stored before the end of the system. */
  running: AtRest[];
  failed: Deliveries['data'];
}

const headersOf = (value: string) => ({ Authorization: `Bearer ${value}`, 'X-Shop-Key': value });

/** POSTs each request twice under one Idempotency-Key; the second answer is that of the first. Returns the answer. */
function twice(call: Call) {
  return async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [one, again] = [await call<T>('POST', path, { body, headers }), await call<T>('POST', path, { body, headers })];
    expect([path, again.headers.get('idempotent-replayed'), again.text]).toEqual([path, 'true', one.text]);
    return one.body;
  };
}

/** All that endpoints go through with their secrets and headers; the system tries deliveries again at once. */
export async function exposeEndpoints(system: System, subscriber: Exposed['subscriber']): Promise<Exposed> {
  const answers: string[] = [];
  const shows = /^\/webhooks$|rotate-secret$/;
  const { test: call } = await openAccount(system, 'Secrets', {
    onAnswer({ method, path, answer: { text } }) {
      if (method === 'POST' && shows.test(path)) answers.push(text.replace(/"secret":"[^"]+"/, ''));
      else answers.push(text);
    },
  });
  const send = twice(call);
  const made = (path: string, value: string): Promise<Endpoint> =>
    send('/webhooks', { url: `${subscriber.origin}${path}`, events: ['*'], description: DESCRIPTION, headers: headersOf(value) });
  const [ok, failing, moved] = [await made('/ok', first), await made('/failing', first), await made('/moved', first)];
  const secrets = [ok.secret, failing.secret, moved.secret];
  const receives = (n: number) => eventually(() => subscriber.received.filter(({ path }) => path === '/ok').length === n, `delivery ${n}`);
  await call('POST', '/customers', { body: { name: 'Before the rotations' } });
  await receives(1);
  for (const grace_period_seconds of [3_600, 7_200])
    secrets.push((await send<Endpoint>(`/webhooks/${ok.id}/rotate-secret`, { grace_period_seconds })).secret);
  for (const { id } of [ok, failing, moved]) await call('PATCH', `/webhooks/${id}`, { body: { headers: headersOf(second) } });
  for (const { id } of [ok, failing, moved]) await call('PATCH', `/webhooks/${id}`, { body: { headers: headersOf(third) } });
  const bad = { headers: { 'Webhook-Id': refused, 'X-Shop-Key': `${refused}\u00fc` } };
  expect((await call('PATCH', `/webhooks/${ok.id}`, { body: bad })).status).toBe(422);
  await call('POST', '/customers', { body: { name: 'After the rotations' } });
  await receives(2);
  for (const { id } of [ok, failing, moved]) await send(`/webhooks/${id}/test`, { event_type: 'invoice.submitted' });
  const failed = await eventually(async () => {
    const all = [failing, moved].map(async ({ id }) => (await call<Deliveries>('GET', `/webhooks/${id}/deliveries`)).body.data);
    const data = (await Promise.all(all)).flat();
    return data.length === 4 && data.every(({ status }) => status === 'failed') ? data : undefined;
  }, 'the ends of four deliveries that fail');
  await send(`/webhooks/${failing.id}/deliveries/${failed[0]?.id}/redeliver`, {});
  const { data } = (await call<{ data: { id: string }[] }>('GET', '/events')).body;
  for (const path of ['/webhooks', `/webhooks/${ok.id}`, `/webhooks/${ok.id}/deliveries`, `/events/${data[0]?.id}/deliveries`, '/account'])
    await call('GET', path);
  answers.push(await (await fetch(`${system.ops}/metrics`)).text());
  return { subscriber, secrets, answers, running: await bytesAtRest(system), failed };
}

interface Searched {
  exposed: Exposed;
  /** Ended, with all that it logs. */
  system: System;
  collector: Awaited<ReturnType<typeof startCollector>>;
}

export function testEndpointSecrets(searched: () => Searched): void {
  /** What is found where. */
  const foundIn = (places: readonly AtRest[]): [string, string[]][] =>
    places.flatMap(({ name, bytes }) => {
      const found = spelledIn(bytes, [...searched().exposed.secrets, ...values]);
      return found.length > 0 ? [[name, found] as [string, string[]]] : [];
    });

  test('the endpoints were sent their headers, signed by all of their secrets', () => {
    const { secrets, subscriber } = searched().exposed;
    expect(new Set(secrets).size).toBe(5);
    const sent = subscriber.received.filter(({ path }) => path === '/ok');
    expect(sent.map(({ headers }) => headers['x-shop-key'])).toEqual([first, third, third]);
    const [before, after] = sent as [(typeof sent)[0], (typeof sent)[0]];
    const [old] = secrets as [string];
    expect(verifyWebhook(before, old).type).toBe('customer.created');
    for (const secret of [old, ...secrets.slice(3)]) expect(verifyWebhook(after, secret).type).toBe('customer.created');
    expect(verifyWebhook(after, old, { signature: 'x-service-signature' }).type).toBe('customer.created');
  });

  test('failed deliveries say what was answered, without the headers that were sent back', () => {
    const all = searched().exposed.failed.flatMap((delivery) => delivery.attempts);
    expect(all).toHaveLength(4 * attempts);
    const bodies = all.map(({ response_body }) => response_body ?? '').filter((text) => text !== '');
    expect([bodies.length, ...new Set(bodies.map((text) => /not allowed: .*"x-shop-key":"\[header\]"/.test(text)))]).toEqual([
      2 * attempts,
      true,
    ]);
    expect(all.filter(({ error }) => error?.includes('/login?token=[header]'))).toHaveLength(2 * attempts);
  });

  test('no answer shows a secret again, or the value of a header', () => {
    const { answers } = searched().exposed;
    expect(answers.length).toBeGreaterThan(30);
    expect(foundIn(answers.map((text, n) => ({ name: `${n}: ${text.slice(0, 200)}`, bytes: Buffer.from(text) })))).toEqual([]);
  });

  test.each(['while it runs', 'after its end'])('stored data have them encrypted alone, %s', async (when) => {
    const { system, exposed } = searched();
    const stored = when === 'while it runs' ? exposed.running : await bytesAtRest(system);
    expect(stored.filter(({ bytes }) => bytes.includes(DESCRIPTION)).length).toBeGreaterThan(0);
    if (when === 'while it runs' && !system.servers) expect(stored.map(({ name }) => name)).toContain('data.sqlite-wal');
    expect(foundIn(stored)).toEqual([]);
  });

  test('logs, traces and metrics have none', () => {
    const { system, collector } = searched();
    const { spans, metrics, logs } = collector;
    expect([spans, metrics, logs].map(({ length }) => length > 10)).toEqual([true, true, true]);
    expect(system.output()).toContain('webhook delivery ended failed');
    const texts = { log: system.output(), spans: JSON.stringify(spans), metrics: JSON.stringify(metrics), logs: JSON.stringify(logs) };
    expect(foundIn(Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })))).toEqual([]);
  });
}
