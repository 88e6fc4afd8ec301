import type { RouteName } from '../routes.ts';

/** What a route of `/console/v1` asks for again in live. */
interface StepUpRow {
  /** By the body; absent: always. */
  asks?: (body: Record<string, unknown>) => boolean;
  /** The same in words, after "needed". */
  when?: string;
}

/** Routes of the interface that, in live, need password or code to have been given lately. */
export const stepUpRoutes: Partial<Record<RouteName, StepUpRow>> = {
  'PATCH /api-keys/{id}': {},
  'DELETE /api-keys/{id}': {},
  'PUT /fiscal-credentials': {},
  'DELETE /fiscal-credentials': {},
  'PATCH /issuer': { asks: (body) => 'authority' in body, when: 'where `authority` is sent' },
  'POST /customers/{id}/erase': {},
  'POST /invoices/{id}/resolve': {},
  'POST /receipts/{id}/resolve': {},
  'POST /webhooks/{id}/rotate-secret': {},
  'POST /webhooks': {},
  'PATCH /webhooks/{id}': {
    asks: (body) => 'url' in body || 'events' in body || body['status'] === 'enabled',
    when: 'where `url` or `events` is sent, or it is enabled',
  },
  'POST /webhooks/{id}/enable': {},
};

/** Routes that later releases serve. */
const laterPaths = /\/evidence$|^\/issuer\/devices\/|^\/fiscal-credentials\//;

/** Whether every request to a route does, whatever its body. */
export function alwaysAsksStepUp(name: string, path: string): boolean {
  const row = Object.hasOwn(stepUpRoutes, name) ? stepUpRoutes[name as RouteName] : undefined;
  return row === undefined ? laterPaths.test(path) : row.asks === undefined;
}

/** Whether a request to a route of the interface, by its name and path, needs password or code to have been given lately in live. */
export function asksStepUp(name: string | undefined, path: string, body: unknown): boolean {
  const row = Object.hasOwn(stepUpRoutes, name ?? '') ? stepUpRoutes[name as RouteName] : undefined;
  if (row === undefined) return laterPaths.test(path);
  return row.asks === undefined || row.asks((body ?? {}) as Record<string, unknown>);
}
