import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Link, type SpanContext } from '@opentelemetry/api';
import type { Recorded } from '@svc/kernel';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const MAX_LINKS = 128;

export interface Subscribed {
  subscription: string;
  /** The service that the spans name. */
  service: string;
}

/**
 * One span for a batch: a child of the request that caused its first event, linked to those of the others. Without any request there is no
 * span: catching up on a million events makes no traces.
 */
export async function inBatchSpan(
  { subscription, service }: Subscribed,
  events: readonly Recorded[],
  work: () => Promise<void>,
): Promise<void> {
  const [first, ...others] = originsOf(events);
  if (first === undefined) return context.with(ROOT_CONTEXT, work);
  const parent = trace.setSpanContext(ROOT_CONTEXT, first);
  const attributes = {
    'messaging.system': 'eventstoredb',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': '$all',
    'messaging.destination.subscription.name': subscription,
    'messaging.batch.message_count': events.length,
  };
  const links: Link[] = others.map((other) => ({ context: other }));
  const span = trace.getTracer(service).startSpan(`process ${subscription}`, { kind: SpanKind.CONSUMER, attributes, links }, parent);
  try {
    await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

function originsOf(events: readonly Recorded[]): SpanContext[] {
  const origins = new Set<string>();
  for (const { metadata } of events) if (metadata.traceparent && origins.size < MAX_LINKS) origins.add(metadata.traceparent);
  return [...origins].flatMap((origin) => {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(origin) ?? [];
    if (!traceId || !spanId || !flags) return [];
    return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  });
}
