import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { Recorded } from '@svc/kernel';
import { inBatchSpan } from './batch-span.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
afterAll(() => provider.shutdown());
afterEach(() => exporter.reset());

const from = (traceparent?: string): Recorded => ({ metadata: { v: 1, account: 'acct_1', env: 'test', traceparent } }) as Recorded;

const relay = { subscription: 'relay', service: 'invoicing' };

describe('span of a batch', () => {
  test('names the subscription, is a child of the first request and linked to each other one once', async () => {
    const [a, b] = ['a', 'b'].map((letter) => `00-${letter.repeat(32)}-${letter.repeat(16)}-01`);
    await inBatchSpan(relay, [from(a), from(a), from(b), from(), from('nonsense')], async () => undefined);
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: 'process relay', attributes: { 'messaging.batch.message_count': 5 } });
    expect([span?.spanContext().traceId, span?.parentSpanContext?.spanId]).toEqual(['a'.repeat(32), 'a'.repeat(16)]);
    expect(span?.links.map(({ context }) => context.traceId)).toEqual(['b'.repeat(32)]);
  });

  test('records a failed batch and rethrows the error', async () => {
    const failing = inBatchSpan(relay, [from(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)], () => Promise.reject(new Error('not now')));
    await expect(failing).rejects.toThrow('not now');
    expect(exporter.getFinishedSpans()[0]?.status.code).toBe(2);
  });

  test('is absent where no event comes from a traced request', async () => {
    let ran = 0;
    await inBatchSpan(relay, [from(), from('nonsense')], async () => void (ran += 1));
    expect([ran, exporter.getFinishedSpans()]).toEqual([1, []]);
  });
});
