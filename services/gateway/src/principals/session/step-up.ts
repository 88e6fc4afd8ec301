import type { RouteName } from '@svc/contracts/routes';
import type { DomainError } from '@svc/kernel';
import type { AnyRouteName } from '../../routing/route-table.ts';
import type { Principal } from '../principal.ts';
import type { SessionTerms } from '../../sessions/session.ts';
import { stepUpRequired } from './refusals.ts';

/** Routes of `/console/v1` that need password or code to have been given lately, in live; a function: by the body. */
const stepUpRoutes: Partial<Record<RouteName, true | ((body: Record<string, unknown>) => boolean)>> = {
  'PATCH /api-keys/{id}': true,
  'DELETE /api-keys/{id}': true,
  'PUT /fiscal-credentials': true,
  'DELETE /fiscal-credentials': true,
  'PATCH /issuer': (body) => 'authority' in body,
  'POST /customers/{id}/erase': true,
  'POST /invoices/{id}/resolve': true,
  'POST /receipts/{id}/resolve': true,
  'POST /webhooks/{id}/rotate-secret': true,
  'POST /webhooks': true,
  'PATCH /webhooks/{id}': (body) => 'url' in body || 'events' in body || body['status'] === 'enabled',
  'POST /webhooks/{id}/enable': true,
};
/** Routes that later releases serve. */
const stepUpPaths = /\/evidence$|^\/issuer\/devices\/|^\/fiscal-credentials\//;

interface Asked {
  principal: Principal;
  route: { name: AnyRouteName } | undefined;
  path: string;
}

/** Of a request under `/console/v1` whose permission is judged: why it needs password or code again. `now`: milliseconds since 1970. */
export function lacksStepUp(
  { principal, route, path }: Asked,
  body: unknown,
  { stepUp }: SessionTerms,
  now: number,
): DomainError | undefined {
  const { session: view, env } = principal;
  if (view === null || env !== 'live' || view.session.stepped_at + stepUp > now) return undefined;
  const rule = stepUpRoutes[route?.name as RouteName];
  const asks = rule === true || stepUpPaths.test(path) || (typeof rule === 'function' && rule((body ?? {}) as Record<string, unknown>));
  return asks ? stepUpRequired() : undefined;
}
