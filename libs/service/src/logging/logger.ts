import { pino, stdSerializers, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { standardOutput } from './destination.ts';
import { hide, secretNames } from './hide.ts';
import { activeSpan } from './active-span.ts';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on standard output (at a terminal: lines to read), without secrets, with the ids of the span they are written in. Errors go under
 * `err`. `destination` is for tests.
 */
export function createLogger(options: { level: LogLevel; service: string }, destination?: DestinationStream): Logger {
  const { level, service } = options;
  const settings = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: hide },
    mixin: activeSpan,
    // What a child logger is bound to passes no formatter.
    redact: { paths: secretNames.map((name) => `["${name}"]`), censor: '[hidden]' },
    serializers: { err: (error: unknown) => (error instanceof Error ? hide(stdSerializers.err(error)) : error) },
  };
  return pino(settings, destination ?? standardOutput());
}
