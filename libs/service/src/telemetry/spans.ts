import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  INVALID_SPAN_CONTEXT,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The server span, if traces are exported. */
    span: Span | undefined;
  }
}

export interface SpanOptions {
  /** The service whose work it is; a process may have several. */
  service: string;
  /** W3C traceparent of the parent span, if that is in another process or has ended; default: the current span. */
  traceparent?: string | undefined;
  attributes?: Attributes;
  kind?: SpanKind;
}

const NOT_RECORDED = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Runs `work` in a span of this name. Records an error and rethrows it. Without `startTelemetry` it only runs `work`. */
export function inSpan<T>(
  name: string,
  { service, traceparent, attributes, kind }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  // The API would make objects that do nothing.
  const tracer = (trace.getTracerProvider() as ProxyTracerProvider).getDelegateTracer(service);
  if (!tracer) return work(NOT_RECORDED);
  const parent: Context = traceparent ? contextOf(traceparent) : context.active();
  return tracer.startActiveSpan(name, { attributes, kind }, parent, async (span) => {
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

export interface ServerSpanOptions {
  service: string;
  /** The pattern, `/v1/invoices/{id}`. */
  route: string;
  attributes?: Attributes;
}

/** Runs the work for a request in its span, if `beginServerSpan` started one. Call it after the hooks that do. */
export function useServerSpans(fastify: FastifyInstance): void {
  fastify.decorateRequest('span', undefined);
  fastify.addHook('preHandler', ({ span }, _reply, done) => {
    if (span === undefined) done();
    else context.with(trace.setSpan(contextOf(undefined), span), done);
  });
}

/**
 * Starts the server span of a request, as a child of the caller's `traceparent` if it has one; the span ends with the response. Returns the
 * traceparent for all work of this request: that of the span, or the caller's if tracing is off.
 */
export function beginServerSpan(
  request: FastifyRequest,
  reply: FastifyReply,
  { service, route, attributes }: ServerSpanOptions,
): string | undefined {
  const given = givenTraceparent(request.headers.traceparent);
  const span = trace.getTracer(service).startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER }, contextOf(given));
  const { traceId } = span.spanContext();
  if (!span.isRecording()) return /^0+$/.test(traceId) ? given : traceparentOf(span);
  const url = request.raw.url ?? '';
  span.setAttributes({
    [ATTR_HTTP_REQUEST_METHOD]: request.method,
    [ATTR_HTTP_ROUTE]: route,
    [ATTR_URL_PATH]: url.split(/[?#]/, 1)[0],
    [ATTR_URL_SCHEME]: 'http',
    ...attributes,
  });
  request.span = span;
  reply.raw.once('close', () => {
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, reply.statusCode);
    if (reply.statusCode >= 500) fail(span, String(reply.statusCode));
    span.end();
  });
  return traceparentOf(span);
}

/** Attributes of a request that this process sends. Never the path, which may contain a secret. */
export function clientAttributes(method: string, origin: string): Attributes {
  const url = URL.parse(origin);
  if (url === null) return { [ATTR_HTTP_REQUEST_METHOD]: method };
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_SERVER_ADDRESS]: url.hostname,
    [ATTR_SERVER_PORT]: port,
    [ATTR_URL_SCHEME]: url.protocol.slice(0, -1),
  };
}

/** Sets the outcome of a client span. @param status null: no response */
export function answeredWith(span: Span, status: number | null): void {
  if (status !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
  if (status === null || status >= 400) fail(span, status === null ? 'no_answer' : String(status));
}

function fail(span: Span, type: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, type).setStatus({ code: SpanStatusCode.ERROR });
}
