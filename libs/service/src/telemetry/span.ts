import { context, propagation, type SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span } from '@opentelemetry/api';
import { contextOf } from './traceparent.ts';

export interface SpanOptions {
  /** Whose work it is: spans of several services may come of one process. */
  service: string;
  /** W3C traceparent of the span that led here, when it was in another process or another turn; else the current span is the parent. */
  traceparent?: string | undefined;
  attributes?: Attributes;
  kind?: SpanKind;
}

/** Runs `work` in a span of this name; an error is recorded and thrown on. Without `startTelemetry` it only runs `work`. */
export function inSpan<T>(
  name: string,
  { service, traceparent, attributes, kind }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent: Context = traceparent ? contextOf(traceparent) : context.active();
  return trace.getTracer(service).startActiveSpan(name, { attributes, kind }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
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
