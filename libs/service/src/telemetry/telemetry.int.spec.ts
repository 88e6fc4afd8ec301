import { createLogger } from '../logging/logger.ts';
import { standardOutput } from '../logging/destination.ts';
import { attribute, startCollector } from './testing/collector.ts';
import { Counter, Gauge, Histogram, register } from './metrics.ts';
import { currentTraceparent, inSpan } from './spans.ts';
import { startTelemetry } from './telemetry.ts';

const silent = createLogger({ level: 'silent', service: 'test' });
const elsewhere = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('without a variable that turns it on', () => {
  test.each([
    {},
    { OTEL_SERVICE_NAME: 'x', OTEL_RESOURCE_ATTRIBUTES: 'a=b' },
    { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  ])('nothing is traced: %j', async (env) => {
    const stop = await startTelemetry({ service: 'test', logger: silent, env });
    expect(await inSpan('x', { service: 'test', traceparent: elsewhere }, async () => currentTraceparent())).toBeUndefined();
    await stop();
  });
});

describe('with a collector', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let handedOn: string | undefined;
  /** Intercepts standard output, to which the logger writes. */
  beforeAll(async () => {
    collector = await startCollector();
    Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    new Counter({ name: 'svc_counted_total', help: 'x', labelNames: ['kind'] }).inc({ kind: 'a' }, 3);
    new Gauge({ name: 'svc_held_bytes', help: 'x' }).set(7);
    const seconds = new Histogram({ name: 'svc_taken_seconds', help: 'x', buckets: [0.1, 1] });
    for (const value of [0.05, 0.5, 0.6, 5]) seconds.observe(value);
    const stop = await startTelemetry({ service: 'process', logger: silent });
    const written: string[] = [];
    const out = standardOutput();
    const logger = createLogger({ level: 'info', service: 'process' }, { write: (line) => (written.push(line), out.write(line)) });
    await inSpan('outer', { service: 'process', traceparent: elsewhere }, async () => {
      await inSpan('inner', { service: 'other' }, async () => {
        handedOn = currentTraceparent();
        await inSpan('common', { service: 'svc' }, async () => undefined);
        logger.warn({ account: 'acct_1', secret: 'hunter2', err: new RangeError('too far') }, 'logged within');
      });
      await expect(inSpan('failed', { service: 'process' }, async () => Promise.reject(new RangeError('x')))).rejects.toThrow('x');
    });
    logger.child({ source: 'opentelemetry' }).warn('about itself');
    await stop();
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ trace_id: 'a'.repeat(32), span_id: handedOn?.slice(36, 52) });
  });
  afterAll(() => {
    for (const name of ['svc_counted_total', 'svc_held_bytes', 'svc_taken_seconds']) register.removeSingleMetric(name);
    return collector.close();
  });

  const span = (name: string) => collector.spans.find((one) => one.name === name);

  test('spans are children of the span that caused them, in this or another process', () => {
    expect(span('outer')).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16), service: 'process' });
    expect(span('inner')?.parentSpanId).toBe(span('outer')?.spanId);
    expect(handedOn).toBe(`00-${'a'.repeat(32)}-${span('inner')?.spanId}-01`);
    const failed = span('failed');
    expect([failed?.status.code, failed && attribute(failed, 'error.type')]).toEqual([2, 'RangeError']);
  });

  test('spans of another service of the process carry its name', () => {
    expect([span('inner')?.service, span('failed')?.service]).toEqual(['other', 'process']);
  });

  test('spans of code that all services have carry the name of the service that runs it', () => {
    expect(span('common')).toMatchObject({ service: 'other', parentSpanId: span('inner')?.spanId });
  });

  test('metrics are exported as sums, gauges and histograms', () => {
    const metric = (name: string) => collector.metrics.find((one) => one.name === name);
    expect(metric('svc_counted_total')?.sum).toMatchObject({
      isMonotonic: true,
      dataPoints: [{ asDouble: 3, attributes: [{ key: 'kind', value: { stringValue: 'a' } }] }],
    });
    expect(metric('svc_held_bytes')).toMatchObject({ unit: 'By', service: 'process', gauge: { dataPoints: [{ asDouble: 7 }] } });
    const [point] = metric('svc_taken_seconds')?.histogram?.dataPoints ?? [];
    expect(point).toMatchObject({ count: 4, sum: 6.15, explicitBounds: [0.1, 1], bucketCounts: [1, 2, 1] });
  });

  test('log lines are exported as records in their trace, without secrets; those about telemetry are not', () => {
    expect(collector.logs.map(({ body }) => body.stringValue)).toEqual(['logged within']);
    const [record] = collector.logs;
    expect(record).toMatchObject({ severityText: 'WARN', severityNumber: 13, traceId: 'a'.repeat(32), spanId: span('inner')?.spanId });
    expect(record && [attribute(record, 'account'), attribute(record, 'exception.type')]).toEqual(['acct_1', 'RangeError']);
    expect(JSON.stringify(collector.logs)).not.toContain('hunter2');
  });
});
