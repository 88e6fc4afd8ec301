import { SpanKind, trace } from '@opentelemetry/api';
import { answeredWith, clientAttributes, contextOf, traceparentOf } from '@svc/service';
import type { Outcome } from './exchange.ts';
import type { Replica } from './upstream.ts';

/** The span of one attempt at one replica. */
export interface HopSpan {
  /** For the request to the replica: of this span, or of the parent when tracing is off. */
  traceparent: string | undefined;
  end(outcome: Outcome): void;
}

interface RequestInfo {
  method: string;
  /** Pattern of the path. */
  route: string;
  /** Of the parent span; undefined: there is none, and background work starts no trace. */
  traceparent: string | undefined;
}

export function beginHop({ origin }: Replica, { method, route, traceparent }: RequestInfo, resends: number): HopSpan {
  if (traceparent === undefined) return { traceparent, end: () => undefined };
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
