import { trace } from '@opentelemetry/api';

/** Ids of the span that this runs in, as fields of a line; none while nothing is traced. What a line says of its own goes before. */
export function activeSpan(): Record<string, string> {
  const span = trace.getActiveSpan();
  if (span === undefined) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
