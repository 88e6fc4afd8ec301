import { NoQuery } from './queries/index.ts';
import type { Method, Route } from './route.ts';
import { catalog } from './routes/catalog.ts';
import { invoices } from './routes/invoices.ts';
import { receipts } from './routes/receipts.ts';
import { BODY_LIMIT } from './routes/row.ts';
import type { Row } from './routes/row.ts';
import { settings } from './routes/settings.ts';
import { webhooks } from './routes/webhooks.ts';

export { costs, owners } from './route.ts';
export type { Cost, Method, Owner, Route } from './route.ts';
export { permissions } from './vocabulary.ts';
export type { Permission } from './vocabulary.ts';

/** Every route of the interface. One that is not here does not start; one that nobody serves yet keeps its path. */
const table = { ...invoices, ...receipts, ...catalog, ...settings, ...webhooks };

/** `POST /invoices`, `GET /invoices/{id}` */
export type RouteName = keyof typeof table;

const whole = ([name, row]: [string, Row]): [string, Route] => {
  const [method, path] = name.split(' ') as [Method, string];
  return [name, { query: NoQuery, bodyLimit: BODY_LIMIT, ...row, method, path }];
};

export const routes = Object.fromEntries(Object.entries<Row>(table).map(whole)) as Record<RouteName, Route>;
export const routeNames = Object.keys(routes) as RouteName[];
