import {
  context,
  propagation,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  ROOT_CONTEXT,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';

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

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** The caller's traceparent if the header is valid; else undefined. */
export const givenTraceparent = (header: unknown): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

/** The context of the span that a W3C `traceparent` names. Independent of `OTEL_PROPAGATORS`, because services use this form among themselves. */
export function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const there: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, there);
}

export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
