import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentTraceparent, inSpan } from './span.ts';
import { startTelemetry } from './telemetry.ts';

interface Told {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code: number };
}
const told: Told[] = [];
let services: unknown[] = [];
let collector: Server;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const [resource] = JSON.parse(text).resourceSpans;
      services = resource.resource.attributes;
      told.push(...resource.scopeSpans.flatMap(({ spans }: { spans: Told[] }) => spans));
      response.end('{}');
    });
  });
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
});
afterAll(() => collector.close());

describe('tracing', () => {
  test('without a collector work runs all the same, and there is no trace to hand on', async () => {
    const stop = await startTelemetry({ endpoint: undefined, service: 'test' });
    expect(
      await inSpan('work', { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }, async () => currentTraceparent()),
    ).toBeUndefined();
    await stop();
  });

  test('spans are below the one that led to them, here or elsewhere, and reach the collector', async () => {
    const stop = await startTelemetry({ endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`, service: 'test' });
    const elsewhere = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    let handedOn: string | undefined;
    await inSpan('outer', { traceparent: elsewhere }, async () => {
      await inSpan('inner', {}, async () => {
        handedOn = currentTraceparent();
      });
      await expect(inSpan('failed', {}, async () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    });
    await stop();
    const span = (name: string) => told.find((one) => one.name === name);
    expect(span('outer')).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
    expect(span('inner')?.parentSpanId).toBe(span('outer')?.spanId);
    expect(handedOn).toBe(`00-${'a'.repeat(32)}-${span('inner')?.spanId}-01`);
    expect(span('failed')?.status.code).toBe(2);
    expect(services).toContainEqual({ key: 'service.name', value: { stringValue: 'test' } });
  });
});
