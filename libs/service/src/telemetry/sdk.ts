import { diag, DiagLogLevel } from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { listenToLog } from '../logging/destination.ts';
import type { Logger } from '../logging/logger.ts';
import { logBridge } from './log-bridge.ts';
import { metricReaders } from './metric-readers.ts';
import { nameSpansByService } from './service-spans.ts';

export interface SdkOptions {
  service: string;
  logger: Logger;
  env: Readonly<Record<string, string | undefined>>;
}

/** Registers the SDK for traces, metrics and logs. Returns a function that flushes and stops it. Loaded only if telemetry is on. */
export function startSdk({ service, logger, env }: SdkOptions): () => Promise<void> {
  const own = resourceFromAttributes({ [ATTR_SERVICE_NAME]: service });
  const sdk = new NodeSDK({ resource: defaultResource().merge(own), metricReaders: metricReaders(env) });
  reportProblems(logger, env['OTEL_LOG_LEVEL']);
  sdk.start();
  if (!isNamed(env)) nameSpansByService(service);
  listenToLog(logBridge());
  return () => {
    listenToLog(undefined);
    return sdk.shutdown();
  };
}

/** Whether one service name is set for the whole process. */
const isNamed = (env: SdkOptions['env']): boolean =>
  Boolean(env['OTEL_SERVICE_NAME']) || /(?:^|,)\s*service\.name\s*=/.test(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '');

const LEVELS: Record<string, DiagLogLevel> = {
  NONE: DiagLogLevel.NONE,
  ERROR: DiagLogLevel.ERROR,
  INFO: DiagLogLevel.INFO,
  DEBUG: DiagLogLevel.DEBUG,
  VERBOSE: DiagLogLevel.VERBOSE,
  ALL: DiagLogLevel.ALL,
};

/** Writes the SDK's diagnostics to the log. They are not exported, because they are mostly about a collector that is down. */
function reportProblems(logger: Logger, level = ''): void {
  const own = logger.child({ source: 'opentelemetry' });
  const say = (as: 'error' | 'warn' | 'info' | 'debug' | 'trace') => (message: string) => own[as](message);
  const sayings = { error: say('error'), warn: say('warn'), info: say('info'), debug: say('debug'), verbose: say('trace') };
  diag.setLogger(sayings, { logLevel: LEVELS[level.toUpperCase()] ?? DiagLogLevel.WARN, suppressOverrideMessage: true });
}
