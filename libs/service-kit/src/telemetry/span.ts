import { context, propagation, SpanStatusCode, trace, type Attributes, type Span, type SpanKind } from '@opentelemetry/api';

export interface SpanOptions {
  /** W3C traceparent of the span that led here, when it was in another process or another turn; else the current span is the parent. */
  traceparent?: string;
  attributes?: Attributes;
  kind?: SpanKind;
}

const tracer = trace.getTracer('svc');

/** Runs `work` in a span of this name; an error is recorded and thrown on. Without `startTelemetry` it only runs `work`. */
export function inSpan<T>(name: string, { traceparent, attributes, kind }: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = traceparent ? propagation.extract(context.active(), { traceparent }) : context.active();
  return tracer.startActiveSpan(name, { attributes, kind }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** W3C traceparent of the current span; undefined when nothing is traced. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
