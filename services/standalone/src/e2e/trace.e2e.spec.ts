import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, startReceiver, startSystem, type System } from '@svc/testkit';
import { openAccount } from './accounts.suite.ts';
import { item } from './world.suite.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** A collector of OTLP/HTTP traces in JSON. */
async function startCollector() {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') {
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Export;
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, close };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: System;
beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  system = await startSystem({ WEBHOOKS_ALLOW: receiver.origin, OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin });
});
afterAll(async () => {
  await system?.stop();
  await Promise.all([collector.close(), receiver.close()]);
});

const shown = (spans: Span[]): string[] => spans.map(({ name, kind }) => `${kind} ${name}`).sort();

const GIVEN = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
let submitted: string[];
/** Submits one invoice without a trace of the caller's and one with; then ends the program, whose exporter sends what it still holds. */
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
  expect(await system.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

const about = ({ name, attributes }: Span): string => JSON.stringify([name, attributes]);
/** The trace of one submission: that of the authority's answer about it. */
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
    traceOf(submitted[n]).filter((span) => span.kind === kind && words.test(about(span)));

  test('has the request, what consumed its events, one call of the authority and one of the subscriber in one trace', () => {
    const all = shown(traceOf(submitted[n]));
    expect([all, ofKind(3, /authority/).length]).toEqual([all, 1]);
    expect([all, ofKind(3, /webhook/).length]).toEqual([all, 1]);
    // By topic: the submission is opened, its outcome taken in, the webhook fanned out and the report counts.
    for (const topic of [/invoicing\.registration/, /fiscal\.registration/, /invoicing\.invoice/])
      expect([all, String(topic), ofKind(5, topic).length > 0]).toEqual([all, String(topic), true]);
    expect([all, ofKind(2, /submit/).length]).toEqual([all, 1]);
  });

  test('hangs together', () => {
    const trace = traceOf(submitted[n]);
    const ids = new Set([PARENT, ...trace.map(({ spanId }) => spanId)]);
    expect(shown(trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId)))).toEqual([]);
    for (const { name, startTimeUnixNano, endTimeUnixNano } of trace)
      expect([name, BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)]).toEqual([name, true]);
  });
});

test('two submissions are two traces; the caller’s own goes on, also in the subscriber’s request', () => {
  const [first, second] = submitted.map((id) => traceOf(id)[0]?.traceId);
  expect([first === undefined, first === second, second]).toEqual([false, false, GIVEN]);
  const delivery = receiver.deliveries.find(({ body }) => body.data.id === submitted[1]);
  const attempt = traceOf(submitted[1]).find((span) => span.kind === 3 && about(span).includes('webhook'));
  expect(delivery?.headers['traceparent']).toBe(`00-${GIVEN}-${attempt?.spanId}-01`);
});

test('no secret goes to the collector', () => {
  const text = JSON.stringify(collector.spans);
  expect(['svc_test_', 'whsec_', 'Bearer', system.setup.admin_token].filter((secret) => text.includes(secret))).toEqual([]);
});
