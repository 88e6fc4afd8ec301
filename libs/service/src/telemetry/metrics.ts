/** Metrics are in prom-client's default registry, which the operators' port shows. Names: `svc_<what>_<unit>`. */
export { Counter, Gauge, Histogram, register } from 'prom-client';
