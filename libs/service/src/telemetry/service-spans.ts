import { context, type Context, type ProxyTracerProvider, trace, type Span, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';

/** The tracer of shared code. Its spans belong to the service of their parent span, else to the process. */
const COMMON = 'svc';

/**
 * Sets `service.name` of each span to the name of its tracer, which is the service whose work it traces, because several services may share a
 * process. So a collector shows the same services for one process as for five.
 * @param own name of the process
 */
export function nameSpansByService(own: string): void {
  const global = trace.getTracerProvider();
  // The SDK registers nothing without an exporter of traces.
  if (!('getDelegate' in global)) return;
  const proxy = global as ProxyTracerProvider;
  const provider = proxy.getDelegate();
  const tracers = new Map<string, Tracer>();
  const named: TracerProvider = {
    getTracer(name, ...rest) {
      if (name === own) return provider.getTracer(name, ...rest);
      const known = tracers.get(name) ?? tracerOf(name === COMMON ? undefined : name, provider.getTracer(name, ...rest));
      tracers.set(name, known);
      return known;
    },
  };
  proxy.setDelegate(named);
}

type Resourced = Span & { resource?: Resource };

/** @param service undefined: that of the parent span */
function tracerOf(service: string | undefined, tracer: Tracer): Tracer {
  // One resource object for all spans of a service: exporters group by it.
  let resource: Resource | undefined;
  const resourceOf = (own: Resource, parent: Context): Resource => {
    if (service === undefined) return (trace.getSpan(parent) as Resourced | undefined)?.resource ?? own;
    return (resource ??= own.merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: service })));
  };
  const startSpan: Tracer['startSpan'] = (name, options, parent = context.active()) => {
    const span = tracer.startSpan(name, options, parent) as Resourced;
    if (span.resource !== undefined) span.resource = resourceOf(span.resource, parent);
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
