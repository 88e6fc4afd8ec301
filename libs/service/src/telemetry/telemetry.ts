import { systemClock as clock } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';

export interface TelemetryOptions {
  /** The service name of this process's telemetry, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` is set. */
  service: string;
  logger: Logger;
  env?: Readonly<Record<string, string | undefined>>;
}

/** Maximum time for sending the last telemetry when the process ends. */
const TIMEOUT_MS = 3_000;

/**
 * Starts OpenTelemetry's SDK, which reads the `OTEL_*` variables itself, if a variable turns it on; otherwise the SDK is not loaded. Returns a
 * function that flushes and stops it.
 */
export async function startTelemetry({ service, logger, env = process.env }: TelemetryOptions): Promise<() => Promise<void>> {
  if (!isAskedFor(env)) return async () => undefined;
  const { startSdk } = await import('./sdk.ts');
  const stop = startSdk({ service, logger, env });
  return async () => {
    const sent = new AbortController();
    const stopped = stop().catch((error: unknown) => logger.warn({ source: 'opentelemetry', err: error }, 'the last telemetry is lost'));
    await Promise.race([stopped.finally(() => sent.abort()), clock.sleep(TIMEOUT_MS, sent.signal)]);
  };
}

const EXPORTERS = /^OTEL_(?:TRACES|METRICS|LOGS)_EXPORTER$/;
const ENDPOINTS = /^OTEL_EXPORTER_\w+_ENDPOINT$/;

/** Whether an endpoint or an exporter is set. Variables that only describe (`OTEL_SERVICE_NAME`) do not turn telemetry on. */
function isAskedFor(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  return Object.entries(env).some(
    ([name, value = '']) => value.trim() !== '' && (ENDPOINTS.test(name) || (EXPORTERS.test(name) && value.trim() !== 'none')),
  );
}
