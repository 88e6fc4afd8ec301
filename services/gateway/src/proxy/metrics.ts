import { Counter, Gauge } from '@svc/service';
import type { Upstream } from './upstream.ts';

/** `owner` is the previous name of `upstream`, kept for one release. */
export const proxyFailures = new Counter({
  name: 'svc_proxy_failures_total',
  help: 'Requests to services behind the gateway that got no answer, by service and kind.',
  labelNames: ['owner', 'upstream', 'kind'],
});

const KINDS = ['unreached', 'cut', 'hung', 'late', 'leaving'];

let measured: readonly Upstream[] = [];

new Gauge({
  name: 'svc_upstream_unhealthy_replicas',
  help: 'Replicas of a service behind the gateway whose last request failed: others come first, and one request a second tries them.',
  labelNames: ['upstream'],
  collect() {
    this.reset();
    for (const { name, replicas } of measured)
      this.set({ upstream: name }, replicas.filter(({ unhealthyUntil }) => unhealthyUntil !== 0).length);
  },
});

/** Exports the state of the services behind this gateway, and their failures from 0 on. */
export function measureUpstreams(upstreams: Iterable<Upstream>): void {
  measured = [...upstreams];
  for (const { name } of measured) for (const kind of KINDS) proxyFailures.inc({ owner: name, upstream: name, kind }, 0);
}
