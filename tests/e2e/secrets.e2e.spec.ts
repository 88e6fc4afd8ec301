import { startCollector } from '@svc/service/telemetry/testing/collector';
import { startReceiver, startSystem, type System } from '@svc/testkit';
import { bytesAtRest, eventsAtRest } from './testing/at-rest.ts';
import { exposeEndpoints, testEndpointSecrets } from './testing/endpoint-secrets.ts';
import { startSecretSubscriber } from './testing/secret-subscriber.ts';
import { found, leaveTraces, people, personal, type Person, type Traces } from './testing/traces.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let subscriber: Awaited<ReturnType<typeof startSecretSubscriber>>;
let collector: Awaited<ReturnType<typeof startCollector>>;
let system: System;
let traces: Traces;
let exposed: Awaited<ReturnType<typeof exposeEndpoints>>;
/** The process's output after the lines that show the demo account once. */
let log: string;
beforeAll(async () => {
  [receiver, subscriber, collector] = await Promise.all([startReceiver(), startSecretSubscriber(), startCollector()]);
  system = await startSystem({
    ...{ WEBHOOKS_ALLOW: `${receiver.origin},${subscriber.origin}`, WEBHOOKS_RETRY_DELAYS: '100ms,100ms,100ms,100ms,100ms' },
    ...{ LOG_LEVEL: 'debug', REQUIRE_HTTPS: 'true' },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
  });
  const before = system.output().length;
  traces = await leaveTraces(system, receiver.origin);
  exposed = await exposeEndpoints(system, subscriber);
  await system.kill('SIGTERM');
  log = system.output().slice(before);
});
afterAll(async () => {
  await system?.stop();
  await Promise.all([receiver?.close(), subscriber?.close(), collector?.close()]);
});

describe('secrets and headers of endpoints', () => testEndpointSecrets(() => ({ exposed, system, collector })));

const webhookSecrets = (): string[] => traces.toured.secrets.filter((secret) => secret.startsWith('whsec_'));

test('the tour has produced the values to look for', () => {
  expect(webhookSecrets().length).toBeGreaterThanOrEqual(2);
  expect(traces.secrets.filter((secret) => secret.startsWith('svc_')).length).toBeGreaterThanOrEqual(4);
  expect(log.length).toBeGreaterThan(1000);
});

test('the log contains no key, secret, token or personal data', () => {
  expect(found(log, [...traces.secrets, system.setup.admin_token])).toEqual([]);
  expect(found(log, people.flatMap(personal))).toEqual([]);
  expect(log).not.toMatch(/Bearer /);
});

test('no log line contains the keys shown at the first start', () => {
  const lines = system
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(10);
  expect(found(lines.join('\n'), [...traces.secrets, system.setup.admin_token])).toEqual([]);
});

test('stored data contains no key and no webhook secret in clear', async () => {
  const stored = await bytesAtRest(system);
  expect(stored.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeGreaterThan(100_000);
  const keys = webhookSecrets().map((secret) => Buffer.from(secret.slice(6), 'base64'));
  for (const { name, bytes } of stored) {
    expect([name, found(bytes, traces.secrets)]).toEqual([name, []]);
    expect([name, keys.filter((key) => bytes.includes(key)).length]).toEqual([name, 0]);
  }
});

describe('in the event store', () => {
  let events: string[];
  beforeAll(async () => {
    events = await eventsAtRest(system);
  });

  test('events of customers are encrypted', () => {
    for (const [n, id] of traces.customers.entries()) {
      const own = events.filter((text) => text.includes(`.${id}`));
      expect([id, own.length >= 2]).toEqual([id, true]);
      expect([id, found(own.join('\n'), personal(people[n] as Person))]).toEqual([id, []]);
    }
  });

  test('only an issued document contains personal data in clear', () => {
    const [quiet, invoiced] = people as [Person, Person];
    expect(found(events.join('\n'), personal(quiet))).toEqual([]);
    expect(found(events.join('\n'), [invoiced.name])).toEqual([invoiced.name]);
  });
});

test('no key, secret or token reaches the collector', () => {
  const text = JSON.stringify([collector.spans, collector.logs, collector.metrics]);
  expect(found(text, [...traces.secrets, system.setup.admin_token])).toEqual([]);
});
