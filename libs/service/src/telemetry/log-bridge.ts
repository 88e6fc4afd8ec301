import { ROOT_CONTEXT, trace, TraceFlags, type Context } from '@opentelemetry/api';
import { logs, SeverityNumber, type AnyValueMap } from '@opentelemetry/api-logs';
import { millisOf } from '@svc/kernel';

const SEVERITIES: Record<number, [SeverityNumber, string]> = {
  10: [SeverityNumber.TRACE, 'TRACE'],
  20: [SeverityNumber.DEBUG, 'DEBUG'],
  30: [SeverityNumber.INFO, 'INFO'],
  40: [SeverityNumber.WARN, 'WARN'],
  50: [SeverityNumber.ERROR, 'ERROR'],
  60: [SeverityNumber.FATAL, 'FATAL'],
};

interface Line {
  level: number;
  time: string;
  msg?: string;
  source?: string;
  trace_id?: string;
  span_id?: string;
  err?: { type?: string; message?: string; stack?: string };
}

/** Emits log lines, which have no secrets any more, as OpenTelemetry log records, each in its trace. */
export function logBridge(): (text: string) => void {
  const logger = logs.getLogger('svc');
  return (text) => {
    const { level, time, msg = '', trace_id, span_id, err, ...attributes } = JSON.parse(text) as Line;
    if (attributes.source === 'opentelemetry') return;
    const [severityNumber, severityText] = SEVERITIES[level] ?? [SeverityNumber.UNSPECIFIED, String(level)];
    logger.emit({
      timestamp: millisOf(time),
      severityNumber,
      severityText,
      body: msg,
      attributes: { ...(attributes as AnyValueMap), ...(err && exceptionOf(err)) },
      context: contextOf(trace_id, span_id),
    });
  };
}

const exceptionOf = ({ type, message, stack }: NonNullable<Line['err']>): AnyValueMap => ({
  'exception.type': type,
  'exception.message': message,
  'exception.stacktrace': stack,
});

const contextOf = (traceId: string | undefined, spanId: string | undefined): Context =>
  traceId === undefined || spanId === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
