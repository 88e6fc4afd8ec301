import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { topics } from '@svc/contracts/events/envelope';
import { invoiceEvent } from './event-bus.suite.ts';
import { consuming } from './delivery.ts';

const traceId = (n: number): string => String(n).repeat(32);
const spanId = (n: number): string => String(n).repeat(16);
const from = (n: number): { traceparent: string } => ({ traceparent: `00-${traceId(n)}-${spanId(n)}-01` });
const subscription = { group: 'reporting', topic: topics.invoice, system: 'kafka' };

describe('the span of a batch', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
  });

  test('continues the first event’s trace, links the others’ and is active in the handler', async () => {
    const events = [invoiceEvent('a', 1, from(1)), invoiceEvent('b', 1, from(2)), invoiceEvent('c', 1, from(1)), invoiceEvent('d', 1)];
    const inside = await consuming(subscription, events, async () => trace.getActiveSpan()?.spanContext().spanId);
    const [span] = exporter.getFinishedSpans();
    expect(span?.spanContext()).toMatchObject({ traceId: traceId(1), spanId: inside });
    expect(span?.parentSpanContext?.spanId).toBe(spanId(1));
    expect(span?.links.map((link) => link.context.traceId)).toEqual([traceId(2)]);
    expect(span?.attributes).toMatchObject({ 'messaging.consumer.group.name': 'reporting', 'messaging.batch.message_count': 4 });
    expect(span?.instrumentationScope.name).toBe('reporting');
  });

  test('records a failure', async () => {
    const handling = consuming(subscription, [invoiceEvent('a', 1, from(1))], () => Promise.reject(new RangeError('no')));
    await expect(handling).rejects.toThrow('no');
    const [span] = exporter.getFinishedSpans();
    expect([span?.status.code, span?.attributes['error.type']]).toEqual([2, 'RangeError']);
  });

  test("is absent where no event names a trace, whatever the publisher's context", async () => {
    const handling = (): Promise<boolean> =>
      consuming(subscription, [invoiceEvent('a', 1, { traceparent: 'nonsense' })], async () => trace.getActiveSpan() === undefined);
    expect(await trace.getTracer('relay').startActiveSpan('relay', handling)).toBe(true);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});
