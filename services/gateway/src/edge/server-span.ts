import { propagation, ROOT_CONTEXT, SpanKind, trace, type Span } from '@opentelemetry/api';
import type { FastifyReply } from 'fastify';
import type { Passage } from './passage.ts';

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;
const tracer = trace.getTracer('svc');

/** The caller's own place in a trace, when the header names one. */
export const givenTraceparent = (header: unknown): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

/**
 * Begins the server span of a request that may go on, below the caller's own trace when it names one. Answers the traceparent that
 * all work for this request carries: the span's, or the caller's when nothing is traced here.
 */
export function beginServerSpan(passage: Passage, header: unknown): string | undefined {
  const given = givenTraceparent(header);
  const parent = given === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: given });
  const span = tracer.startSpan(passage.route?.name ?? 'unknown', { kind: SpanKind.SERVER }, parent);
  if (!span.isRecording()) return given;
  span.setAttributes({ 'svc.request_id': passage.requestId, 'svc.account': passage.caller.account });
  passage.span = span;
  return traceparentOf(span);
}

/** Ends it with the answer's status. */
export function endServerSpan({ span }: Passage, reply: FastifyReply): void {
  span?.setAttribute('http.response.status_code', reply.statusCode).end();
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
