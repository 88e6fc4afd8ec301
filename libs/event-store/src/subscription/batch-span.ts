import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Link,
  type SpanContext,
} from '@opentelemetry/api';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const MAX_LINKS = 128;

export interface BatchSpan {
  /** The service that the span names. */
  service: string;
  /** The subscription or topic. */
  name: string;
  /** `messaging.…`, besides the operation. */
  attributes: Attributes;
}

/**
 * One span for a batch: a child of the request that caused its first event, linked to those of the others. Without any request there is no
 * span: catching up on a million events makes no traces. `traceparents`: those of the events, by W3C.
 */
export async function inBatchSpan<T>(
  { service, name, attributes: more }: BatchSpan,
  traceparents: readonly (string | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = [...new Set(traceparents)].slice(0, MAX_LINKS).flatMap((text) => spanContextOf(text) ?? []);
  if (first === undefined) return context.with(ROOT_CONTEXT, work);
  const parent = trace.setSpanContext(ROOT_CONTEXT, first);
  const links: Link[] = others.map((other) => ({ context: other }));
  const operation = { 'messaging.operation.name': 'process', 'messaging.operation.type': 'process' };
  const attributes = { ...operation, 'messaging.batch.message_count': traceparents.length, ...more };
  const span = trace.getTracer(service).startSpan(`process ${name}`, { kind: SpanKind.CONSUMER, attributes, links }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}
