import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  context,
  trace,
  type Attributes,
  type Link,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Subscription } from './consumes.ts';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const MAX_LINKS = 128;

/** The span context of a W3C `traceparent`. */
function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** `system`: which bus. */
export type Consumed = Subscription & { system: string };

/**
 * Handles a batch in a consumer span: a child of the first event's trace, linked to those of the others. Without any trace there is no span:
 * it would start a trace without a request.
 */
export async function consuming<T>(from: Consumed, events: PublicEvent[], handle: () => Promise<T>): Promise<T> {
  const { group, topic } = from;
  const origins = [...new Set(events.map(({ traceparent }) => traceparent))]
    .slice(0, MAX_LINKS)
    .flatMap((text) => spanContextOf(text) ?? []);
  const [first, ...others] = origins;
  if (first === undefined) return context.with(ROOT_CONTEXT, handle);
  const parent = trace.setSpanContext(ROOT_CONTEXT, first);
  const links: Link[] = others.map((other) => ({ context: other }));
  const span = tracerOf(group).startSpan(`process ${topic}`, { kind: SpanKind.CONSUMER, attributes: about(from, events), links }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), handle);
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** A group has the name of its service, followed by `.r<n>` when it is rebuilt. */
const tracerOf = (group: string): Tracer => trace.getTracer(group.replace(/\.r\d+$/, ''));

const about = ({ group, topic, system }: Consumed, events: PublicEvent[]): Attributes => ({
  'messaging.system': system,
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.destination.name': topic,
  'messaging.consumer.group.name': group,
  'messaging.batch.message_count': events.length,
});
