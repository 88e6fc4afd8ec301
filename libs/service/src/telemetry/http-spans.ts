import { SpanKind, SpanStatusCode, type Attributes, type Span, trace } from '@opentelemetry/api';
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
import { context } from '@opentelemetry/api';
import { contextOf, givenTraceparent, traceparentOf } from './traceparent.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** While traces are exported. */
    span: Span | undefined;
  }
}

/** What is known of a request that its span begins with. */
export interface ServerSpanOptions {
  /** Whose request it is. */
  service: string;
  /** The pattern, `/v1/invoices/{id}`. */
  route: string;
  attributes?: Attributes;
}

/** What is done for a request runs in its span, where `beginServerSpan` began one. Goes behind the hooks that do. */
export function useServerSpans(fastify: FastifyInstance): void {
  fastify.decorateRequest('span', undefined);
  fastify.addHook('preHandler', ({ span }, _reply, done) => {
    if (span === undefined) done();
    else context.with(trace.setSpan(contextOf(undefined), span), done);
  });
}

/**
 * Begins the server span of a request, below the caller's own when its `traceparent` names one; it ends with the answer. Answers the
 * traceparent that all work for this request carries: the span's, or the caller's when nothing is traced here.
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

/** Of a request that this process sends. Never its path, which may be a secret of whoever gave it. */
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

/** What a client span ends with. @param status null: no answer */
export function answeredWith(span: Span, status: number | null): void {
  if (status !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status);
  if (status === null || status >= 400) fail(span, status === null ? 'no_answer' : String(status));
}

function fail(span: Span, type: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, type).setStatus({ code: SpanStatusCode.ERROR });
}
