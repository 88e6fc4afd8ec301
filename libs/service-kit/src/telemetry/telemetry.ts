export interface TelemetryOptions {
  /** Base of an OTLP/HTTP collector (`http://collector:4318`); undefined: nothing is traced, and nothing of the SDK is loaded. */
  endpoint: string | undefined;
  service: string;
}

/** Starts tracing; the answer sends what is left and stops it. */
export async function startTelemetry({ endpoint, service }: TelemetryOptions): Promise<() => Promise<void>> {
  if (!endpoint) return async () => undefined;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return () => provider.shutdown();
}
