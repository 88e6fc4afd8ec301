import { context, propagation, type SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span } from '@opentelemetry/api';
import { contextOf } from './traceparent.ts';

export interface SpanOptions {
  /** The service whose work it is; a process may have several. */
  service: string;
  /** W3C traceparent of the parent span, if that is in another process or has ended; default: the current span. */
  traceparent?: string | undefined;
  attributes?: Attributes;
  kind?: SpanKind;
}

/** Runs `work` in a span of this name. Records an error and rethrows it. Without `startTelemetry` it only runs `work`. */
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

/** W3C traceparent of the current span; undefined without one. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
