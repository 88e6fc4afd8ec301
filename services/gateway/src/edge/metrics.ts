import { Histogram, register } from '@svc/service';
import { routeOf } from './request-log.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'svc_http_request_seconds';
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = 'route' | 'status';
type Observe = (seconds: number) => void;

/** Counts and times requests by route and status, after each response. */
export function createMetrics(): (request: FastifyRequest, reply: FastifyReply) => void {
  const known = register.getSingleMetric(NAME) as Histogram<Labels> | undefined;
  const seconds =
    known ?? new Histogram({ name: NAME, help: 'Requests by route and status.', labelNames: ['route', 'status'], buckets: BUCKETS });
  const children = new Map<string, Map<number, Observe>>(); // routes and statuses are few
  const childOf = (route: string, status: number): Observe => {
    let ofRoute = children.get(route);
    if (ofRoute === undefined) children.set(route, (ofRoute = new Map()));
    let observe = ofRoute.get(status);
    if (observe === undefined) {
      const child = seconds.labels({ route, status: String(status) });
      ofRoute.set(status, (observe = (value) => child.observe(value)));
    }
    return observe;
  };
  return (request, reply) => childOf(routeOf(request), reply.statusCode)(reply.elapsedTime / 1000);
}
