import { attribute, startCollector, type CollectedSpan } from '@svc/service/telemetry/testing/collector';
import { eventually, startReceiver, startSystem, type System } from '@svc/testkit';
import { openAccount } from './testing/accounts.ts';
import { item } from './testing/api-fixture.ts';

type Span = CollectedSpan;

let collector: Awaited<ReturnType<typeof startCollector>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: System;
beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  system = await startSystem({
    WEBHOOKS_ALLOW: receiver.origin,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
});
afterAll(async () => {
  await system?.stop();
  await Promise.all([collector.close(), receiver.close()]);
});

const shown = (spans: Span[]): string[] => spans.map(({ name, kind }) => `${kind} ${name}`).sort();

const GIVEN = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
let submitted: string[];
let refusedId: string | null;
const isOneProcess = process.env['SYSTEM'] !== 'services';
/** Submits one invoice without a trace of the caller and one with; then stops the program, whose exporter sends the rest. */
beforeAll(async () => {
  const { test: call } = await openAccount(system, 'Traced');
  await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['invoice.submitted'], description: 'x' } });
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
  submitted = [];
  for (const more of [{}, { traceparent: `00-${GIVEN}-${PARENT}-01` }] as Record<string, string>[]) {
    const { body } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
    submitted.push(body.id);
    await call('POST', `/invoices/${body.id}/submit`, { headers: { prefer: 'wait=10', ...more } });
    await eventually(() => receiver.deliveries.length === submitted.length, 'the webhook');
  }
  const refused = await call('POST', '/customers', { body: {}, headers: { traceparent: `00-${GIVEN}-${PARENT}-01` } });
  refusedId = refused.headers.get('x-request-id');
  expect(await system.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** Spans of calls to the event store and the document store. */
const storeCalls = (spans: Span[]): Span[] => spans.filter((span) => attribute(span, 'db.system.name') !== undefined);
const withoutStores = (spans: Span[]): Span[] => spans.filter((span) => attribute(span, 'db.system.name') === undefined);

const about = ({ name, attributes }: Span): string => JSON.stringify([name, attributes]);
/** The trace of one submission, found by the authority's response. */
const traceOf = (invoice: string | undefined): Span[] => {
  const attempts = collector.spans.filter(
    (span) => span.kind === 3 && about(span).includes('authority') && about(span).includes(`${invoice}`),
  );
  return collector.spans.filter(({ traceId }) => traceId === attempts[0]?.traceId);
};

describe.each([
  ['without a trace of the caller’s', 0],
  ['within the caller’s trace', 1],
])('a submission %s', (_, n) => {
  const ofKind = (kind: number, words: RegExp): Span[] =>
    withoutStores(traceOf(submitted[n])).filter((span) => span.kind === kind && words.test(about(span)));

  test('has the request, the consumers of its events, one call to the authority and one to the subscriber in one trace', () => {
    const all = shown(traceOf(submitted[n]));
    expect([all, ofKind(3, /authority/).length]).toEqual([all, 1]);
    expect([all, ofKind(3, /webhook/).length]).toEqual([all, 1]);
    // By topic: the submission is opened, its outcome handled, the webhook fanned out and the report updated.
    for (const topic of [/invoicing\.registration/, /fiscal\.registration/, /invoicing\.invoice/])
      expect([all, String(topic), ofKind(5, topic).length > 0]).toEqual([all, String(topic), true]);
    // One of the gateway, and one of the service when it is a separate process.
    expect([all, ofKind(2, /submit/).length]).toEqual([all, isOneProcess ? 1 : 2]);
    expect([all, ofKind(3, /invoices.*submit/).length]).toEqual([all, isOneProcess ? 0 : 1]);
  });

  test('is one connected tree', () => {
    const trace = traceOf(submitted[n]);
    const ids = new Set([PARENT, ...trace.map(({ spanId }) => spanId)]);
    expect(shown(trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId)))).toEqual([]);
    for (const { name, startTimeUnixNano, endTimeUnixNano } of trace)
      expect([name, BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)]).toEqual([name, true]);
  });
});

test('spans follow the semantic conventions and name their service', () => {
  const trace = traceOf(submitted[1]);
  const found = (kind: number, words: RegExp) => withoutStores(trace).find((span) => span.kind === kind && words.test(about(span))) as Span;
  // The service, when it is a separate process, has a span of the request too.
  const request = withoutStores(trace).find((span) => span.kind === 2 && span.service === 'gateway' && /submit/.test(about(span))) as Span;
  expect([request.name, request.service]).toEqual(['POST /v1/invoices/{id}/submit', 'gateway']);
  const attributesOf = (span: Span, ...keys: string[]): unknown[] => keys.map((key) => attribute(span, key));
  expect(attributesOf(request, 'http.request.method', 'http.route', 'http.response.status_code', 'url.path')).toEqual([
    ...['POST', '/v1/invoices/{id}/submit', '200', `/v1/invoices/${submitted[1]}/submit`],
  ]);
  const webhook = found(3, /webhook/);
  expect([
    webhook.service,
    ...attributesOf(webhook, 'http.request.method', 'http.response.status_code', 'server.address', 'server.port'),
  ]).toEqual([...['webhooks-dispatcher', 'POST', '200', '127.0.0.1', new URL(receiver.origin).port]]);
  expect([found(3, /authority/).service, attribute(found(3, /authority/), 'server.address')]).toEqual(['fiscal-submission', '127.0.0.1']);
  const report = trace.find(({ kind, service }) => kind === 5 && service === 'reporting') as Span;
  expect(attributesOf(report, 'messaging.operation.type', 'messaging.destination.name', 'messaging.consumer.group.name')).toEqual([
    ...['process', 'invoicing.invoice', 'reporting.r2'],
  ]);
  expect(trace.some(({ kind, service, name }) => kind === 5 && service === 'invoicing' && name.startsWith('process publishing'))).toBe(
    true,
  );
});

test('store calls are client spans of the calling service and contain no values', () => {
  const calls = storeCalls(traceOf(submitted[1]));
  const made = new Set(calls.map((span) => `${span.service}: ${span.name} (${attribute(span, 'db.system.name')})`));
  const [append, write] = isOneProcess ? ['INSERT invoice (sqlite)', 'BATCH'] : ['appendToStream invoice (eventstoredb)', 'bulkWrite'];
  expect(made).toContain(`invoicing: ${append}`);
  expect([...made].filter((one) => one.startsWith(`reporting: ${write} `))).not.toEqual([]);
  expect([...new Set(calls.map(({ kind }) => kind))]).toEqual([3]);
  const ids = /acct_|_[0-9a-z]{20,}|[0-9a-f-]{32,}/;
  expect(storeCalls(collector.spans).filter((span) => ids.test(about(span)))).toEqual([]);
  const keys = new Set(storeCalls(collector.spans).flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  const known =
    /^(db\.(system\.name|operation\.name|collection\.name|namespace|response\.status_code)|server\.(address|port)|error\.type)$/;
  expect([...keys].filter((key) => !known.test(key))).toEqual([]);
});

test('every trace begins with a request: background work starts none', () => {
  const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(roots.length).toBeGreaterThan(0);
  expect(roots.filter(({ kind }) => kind !== 2).map(({ name }) => name)).toEqual([]);
});

test('metrics and logs reach the collector too, under their service', () => {
  const requests = collector.metrics.find(({ name, histogram }) => name === 'svc_http_request_seconds' && histogram);
  expect([requests?.unit, requests?.service]).toEqual(['s', isOneProcess ? 'standalone' : 'gateway']);
  const points = requests?.histogram?.dataPoints.filter((point) => attribute(point, 'route') === 'POST /invoices/{id}/submit') ?? [];
  expect(points.reduce((sum, { count }) => sum + Number(count), 0)).toBeGreaterThan(0);
  const from = (wanted: string): string[] => [
    ...new Set(collector.metrics.filter(({ name }) => name === wanted).map(({ service }) => service)),
  ];
  expect([from('svc_webhook_attempts_total'), from('process_cpu_seconds_total').sort()]).toEqual(
    isOneProcess
      ? [['standalone'], ['standalone']]
      : [['webhooks-dispatcher'], ['fiscal-submission', 'gateway', 'invoicing', 'reporting', 'webhooks-dispatcher']],
  );
  const refused = collector.logs.filter((record) => attribute(record, 'request_id') === refusedId);
  expect(refused.map((record) => [record.traceId, attribute(record, 'code'), record.severityText])).toContainEqual([
    GIVEN,
    'validation_error',
    'INFO',
  ]);
});

test('two submissions are two traces; the caller’s trace continues to the subscriber’s request', () => {
  const [first, second] = submitted.map((id) => traceOf(id)[0]?.traceId);
  expect([first === undefined, first === second, second]).toEqual([false, false, GIVEN]);
  const delivery = receiver.deliveries.find(({ body }) => body.data.id === submitted[1]);
  const attempt = withoutStores(traceOf(submitted[1])).find((span) => span.kind === 3 && about(span).includes('webhook'));
  expect(delivery?.headers['traceparent']).toBe(`00-${GIVEN}-${attempt?.spanId}-01`);
});

test('no secret reaches the collector', () => {
  const text = JSON.stringify([collector.spans, collector.logs, collector.metrics]);
  expect(['svc_test_', 'whsec_', 'Bearer', system.setup.admin_token].filter((secret) => text.includes(secret))).toEqual([]);
});
