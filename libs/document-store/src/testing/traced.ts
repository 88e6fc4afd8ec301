import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Records the spans of this process. Once for a file. */
export function keepSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  afterEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
  });
  const finished = () => exporter.getFinishedSpans();
  return {
    /** Runs `work` in a span `request`. */
    inRequest: <T>(work: () => Promise<T>): Promise<T> =>
      trace.getTracer('test').startActiveSpan('request', (span) => work().finally(() => span.end())),
    request: () => finished().find(({ name }) => name === 'request'),
    /** Without the span `request`. */
    spans: () => finished().filter(({ name }) => name !== 'request'),
  };
}
