import { type RouteName, routeNames } from '@svc/contracts/routes';

/** Rows of the route table that no service serves yet. A spec holds this against what the services' controllers say. */
const UNSERVED: ReadonlySet<RouteName> = new Set<RouteName>([
  'POST /invoices/preview',
  'POST /invoices/batch',
  'POST /invoices/batch/submit',
  'GET /invoices/{id}/payments',
  'POST /invoices/{id}/payments',
  'DELETE /invoices/{id}/payments/{pay}',
  'POST /invoices/{id}/resolve',
  'GET /invoices/{id}/pdf',
  'GET /invoices/{id}/ubl',
  'GET /receipts/{id}/pdf',
  'POST /receipts/{id}/resolve',
  'POST /customers/batch',
  'POST /customers/{id}/erase',
  'GET /products',
  'POST /products',
  'GET /products/{id}',
  'PATCH /products/{id}',
  'DELETE /products/{id}',
  'POST /products/batch',
  'GET /fiscal-credentials',
  'PUT /fiscal-credentials',
  'DELETE /fiscal-credentials',
  'PATCH /webhooks/{id}',
  'POST /webhooks/{id}/rotate-secret',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/enable',
  'POST /webhooks/{id}/recover',
  'POST /webhooks/{id}/deliveries/{whd}/redeliver',
]);

/**
 * What is open to callers where the services are processes of their own. Part of the gateway's release, not asked of the services: a
 * path opens when every replica behind it serves it, and the published document is the same whoever is up.
 */
export const openRoutes: ReadonlySet<RouteName> = new Set(routeNames.filter((name) => !UNSERVED.has(name)));
