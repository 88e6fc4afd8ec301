import { SpanKind, trace } from '@opentelemetry/api';
import { answeredWith, clientAttributes, contextOf, traceparentOf } from '@svc/service';
import type { Outcome } from './exchange.ts';
import type { Replica } from './upstream.ts';

/** One try of one replica, as a span. */
export interface HopSpan {
  /** What the replica is told of the trace: this span, or whom it would be below while nothing is traced. */
  traceparent: string | undefined;
  end(outcome: Outcome): void;
}

interface RequestInfo {
  method: string;
  /** The pattern of the path. */
  route: string;
  /** Of the span that asks. */
  traceparent: string | undefined;
}

export function beginHop({ origin }: Replica, { method, route, traceparent }: RequestInfo, resends: number): HopSpan {
  const span = trace.getTracer('gateway').startSpan(`${method} ${route}`, { kind: SpanKind.CLIENT }, contextOf(traceparent));
  if (!span.isRecording()) return { traceparent, end: () => undefined };
  span.setAttributes({ ...clientAttributes(method, origin), 'url.template': route });
  if (resends > 0) span.setAttribute('http.request.resend_count', resends);
  return {
    traceparent: traceparentOf(span),
    end(outcome) {
      answeredWith(span, outcome.kind === 'answered' ? outcome.answer.status : null);
      span.end();
    },
  };
}
