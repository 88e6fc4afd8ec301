export interface TelemetryOptions {
  /** Base of an OTLP/HTTP collector (`http://collector:4318`); undefined: nothing is traced, and nothing of the SDK is loaded. */
  endpoint: string | undefined;
  service: string;
}

/** Starts tracing; the answer sends what is left and stops it. */
export async function startTelemetry({ endpoint, service }: TelemetryOptions): Promise<() => Promise<void>> {
  if (!endpoint) return async () => undefined;
  const { startTracing } = await import('./tracing.ts');
  return startTracing(endpoint, service);
}
