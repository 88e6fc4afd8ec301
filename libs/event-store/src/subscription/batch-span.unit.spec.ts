import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { inBatchSpan } from './batch-span.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
afterAll(() => provider.shutdown());
afterEach(() => exporter.reset());

const relay = { name: 'relay', service: 'invoicing', attributes: {} };

describe('span of a batch', () => {
  test('names the subscription, is a child of the first request and linked to each other one once', async () => {
    const [a, b] = ['a', 'b'].map((letter) => `00-${letter.repeat(32)}-${letter.repeat(16)}-01`);
    await inBatchSpan(relay, [a, a, b, undefined, 'nonsense'], async () => undefined);
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: 'process relay', attributes: { 'messaging.batch.message_count': 5 } });
    expect([span?.spanContext().traceId, span?.parentSpanContext?.spanId]).toEqual(['a'.repeat(32), 'a'.repeat(16)]);
    expect(span?.links.map(({ context }) => context.traceId)).toEqual(['b'.repeat(32)]);
  });

  test('records a failed batch and rethrows the error', async () => {
    const failing = inBatchSpan(relay, [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`], () => Promise.reject(new Error('not now')));
    await expect(failing).rejects.toThrow('not now');
    expect(exporter.getFinishedSpans()[0]?.status.code).toBe(2);
  });

  test('is absent where no event comes from a traced request', async () => {
    let ran = 0;
    await inBatchSpan(relay, [undefined, 'nonsense'], async () => void (ran += 1));
    expect([ran, exporter.getFinishedSpans()]).toEqual([1, []]);
  });
});
