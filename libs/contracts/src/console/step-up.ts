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
  'POST /fiscal-credentials/check': {},
  'POST /fiscal-credentials/activate': {},
  'GET /invoices/{id}/evidence': {},
  'GET /receipts/{id}/evidence': {},
  'POST /issuer/devices/{code}/register': {},
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

/** Whether every request to a route does, whatever its body. */
export const alwaysAsksStepUp = (name: string): boolean =>
  Object.hasOwn(stepUpRoutes, name) && stepUpRoutes[name as RouteName]?.asks === undefined;

/** Whether a request to a route of the interface needs password or code to have been given lately in live. `name`: undefined for a path that is none. */
export function asksStepUp(name: string | undefined, body: unknown): boolean {
  const row = name !== undefined && Object.hasOwn(stepUpRoutes, name) ? stepUpRoutes[name as RouteName] : undefined;
  return row !== undefined && (row.asks === undefined || row.asks((body ?? {}) as Record<string, unknown>));
}
