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
}, 70_000);
afterAll(async () => {
  await system?.stop();
  await Promise.all([collector.close(), receiver.close()]);
});

const shown = (spans: Span[]): string[] => spans.map(({ name, kind }) => `${kind} ${name}`).sort();

test('one submission is one trace, from the request to the subscriber', async () => {
  const { test: call } = await openAccount(system, 'Traced');
  await call('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['invoice.submitted'], description: 'x' } });
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
  const { body: invoice } = await call<{ id: string }>('POST', '/invoices', { body: { customer_id: customer.id, items: [item] } });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parent = '00f067aa0ba902b7';
  const submitted = await call<{ status: string }>('POST', `/invoices/${invoice.id}/submit`, {
    headers: { prefer: 'wait=10', traceparent: `00-${traceId}-${parent}-01` },
  });
  expect(submitted.body.status).toBe('submitted');
  await eventually(() => receiver.deliveries.length > 0, 'the webhook');
  expect(receiver.deliveries[0]?.headers.traceparent ?? traceId).toContain(traceId);

  // What the exporter still holds goes out with the end of the process.
  expect(await system.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const servers = collector.spans.filter(
    ({ kind, name, attributes }) => kind === 2 && JSON.stringify([name, attributes]).includes('submit'),
  );
  expect([servers.length, shown(collector.spans)]).toEqual([1, shown(collector.spans)]);
  const [server] = servers as [Span];
  const trace = collector.spans.filter((span) => span.traceId === server.traceId);
  const kinds = (kind: number, about: RegExp): Span[] =>
    trace.filter((span) => span.kind === kind && about.test(JSON.stringify([span.name, span.attributes])));
  // By topic and group: the submission is opened, its outcome taken in, the webhook fanned out.
  for (const about of [/invoicing\.registration/, /fiscal\.registration/, /invoicing\.invoice/])
    expect([String(about), kinds(5, about).length > 0, shown(trace)]).toEqual([String(about), true, shown(trace)]);
  expect([kinds(3, /authority/).length, shown(trace)]).toEqual([1, shown(trace)]);
  expect([kinds(3, /webhook/).length, shown(trace)]).toEqual([1, shown(trace)]);

  const ids = new Set(trace.map(({ spanId }) => spanId));
  const orphans = trace.filter(({ parentSpanId }) => parentSpanId && parentSpanId !== parent && !ids.has(parentSpanId));
  expect(shown(orphans)).toEqual([]);
  for (const { name, startTimeUnixNano, endTimeUnixNano } of trace)
    expect([name, BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)]).toEqual([name, true]);
  const secrets = JSON.stringify(collector.spans);
  for (const secret of ['svc_test_', 'whsec_', 'Bearer']) expect(secrets).not.toContain(secret);
}, 60_000);
