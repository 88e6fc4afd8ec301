import { systemClock as clock } from '@svc/kernel';
import type { Logger } from '../logging/logger.ts';

export interface TelemetryOptions {
  /** Names this process's telemetry, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` do. */
  service: string;
  logger: Logger;
  env?: Readonly<Record<string, string | undefined>>;
}

/** What the last telemetry may take to be sent when the process ends. */
const TIMEOUT_MS = 3_000;

/**
 * Starts OpenTelemetry's SDK where a variable asks for it, which reads all `OTEL_*` variables itself; else nothing of it is loaded. The answer
 * sends what is left and stops it.
 */
export async function startTelemetry({ service, logger, env = process.env }: TelemetryOptions): Promise<() => Promise<void>> {
  if (!isAskedFor(env)) return async () => undefined;
  const { startSdk } = await import('./sdk.ts');
  const stop = startSdk({ service, logger, env });
  return async () => {
    const sent = new AbortController();
    const told = stop().catch((error: unknown) => logger.warn({ source: 'opentelemetry', err: error }, 'the last telemetry is lost'));
    await Promise.race([told.finally(() => sent.abort()), clock.sleep(TIMEOUT_MS, sent.signal)]);
  };
}

const EXPORTERS = /^OTEL_(?:TRACES|METRICS|LOGS)_EXPORTER$/;
const ENDPOINTS = /^OTEL_EXPORTER_\w+_ENDPOINT$/;

/** By an endpoint, or by an exporter of some signal. What only describes (`OTEL_SERVICE_NAME`) is set everywhere by some operators. */
function isAskedFor(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  return Object.entries(env).some(
    ([name, value = '']) => value.trim() !== '' && (ENDPOINTS.test(name) || (EXPORTERS.test(name) && value.trim() !== 'none')),
  );
}
