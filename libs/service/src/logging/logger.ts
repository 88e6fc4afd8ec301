import { pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { standardOutput } from './destination.ts';
import { hide, secretNames } from './hide.ts';
import { activeSpan } from './active-span.ts';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * A logger of JSON lines on standard output (readable lines on a terminal), without secrets, with the ids of the current span. Errors are
 * logged as `err`. `destination` is for tests.
 */
export function createLogger(options: { level: LogLevel; service: string }, destination?: DestinationStream): Logger {
  const { level, service } = options;
  const settings = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: hide },
    mixin: activeSpan,
    // The bindings of a child logger do not pass the formatter.
    redact: { paths: secretNames.map((name) => `["${name}"]`), censor: '[hidden]' },
    serializers: { err: (error: unknown) => (error instanceof Error ? hide(stdSerializers.err(error)) : error) },
  };
  return pino(settings, destination ?? standardOutput());
}
