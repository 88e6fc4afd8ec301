import { SpanKind, SpanStatusCode, TraceFlags, trace, type Link } from '@opentelemetry/api';
import type { Recorded } from '@svc/kernel';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const tracer = trace.getTracer('svc');

/** One span for a batch, linked to the requests that its events came from. */
export function inBatchSpan(follower: string, events: readonly Recorded[], work: () => Promise<void>): Promise<void> {
  return tracer.startActiveSpan(
    `follow ${follower}`,
    { kind: SpanKind.CONSUMER, attributes: { 'messaging.batch.message_count': events.length } },
    async (span) => {
      try {
        if (span.isRecording()) span.addLinks(linksTo(events));
        await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  );
}

function linksTo(events: readonly Recorded[]): Link[] {
  const parents = new Set(events.map(({ metadata }) => metadata.traceparent ?? ''));
  return [...parents].flatMap((parent) => {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(parent) ?? [];
    if (!traceId || !spanId || !flags) return [];
    return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true } }];
  });
}
