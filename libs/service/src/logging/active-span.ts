import { trace } from '@opentelemetry/api';

/** The ids of the current span as fields of a log line; {} without one. The line's own fields take precedence. */
export function activeSpan(): Record<string, string> {
  const span = trace.getActiveSpan();
  if (span === undefined) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
