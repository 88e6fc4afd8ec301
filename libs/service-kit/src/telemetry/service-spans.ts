import { context, type ProxyTracerProvider, trace, type Span, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';

/** Of code that every service has: its spans are the process's. */
const COMMON = 'svc';

/**
 * Several services may share a process: a tracer is named after the service whose work it traces, and its spans carry that name as
 * `service.name`, so that a collector shows one process as what it shows five as.
 * @param own name of the process
 */
export function nameSpansByService(own: string): void {
  const global = trace.getTracerProvider();
  // The SDK registers nothing where there is no exporter of traces.
  if (!('getDelegate' in global)) return;
  const proxy = global as ProxyTracerProvider;
  const provider = proxy.getDelegate();
  const tracers = new Map<string, Tracer>();
  const named: TracerProvider = {
    getTracer(name, ...rest) {
      if (name === COMMON || name === own) return provider.getTracer(name, ...rest);
      const known = tracers.get(name) ?? tracerOf(name, provider.getTracer(name, ...rest));
      tracers.set(name, known);
      return known;
    },
  };
  proxy.setDelegate(named);
}

function tracerOf(service: string, tracer: Tracer): Tracer {
  let resource: Resource | undefined;
  const startSpan: Tracer['startSpan'] = (...asked) => {
    const span = tracer.startSpan(...asked) as Span & { resource?: Resource };
    if (span.resource !== undefined) {
      // One resource for all of them: exporters group by it.
      resource ??= span.resource.merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: service }));
      span.resource = resource;
    }
    return span;
  };
  const startActiveSpan = (name: string, ...rest: unknown[]): unknown => {
    const work = rest.pop() as (span: Span) => unknown;
    const [options, parent = context.active()] = rest as [Parameters<Tracer['startSpan']>[1]?, Parameters<Tracer['startSpan']>[2]?];
    const span = startSpan(name, options, parent);
    return context.with(trace.setSpan(parent, span), () => work(span));
  };
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] };
}
