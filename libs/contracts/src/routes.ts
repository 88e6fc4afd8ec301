import { account } from './account/routes.ts';
import { credentials } from './credentials/routes.ts';
import { customers } from './customer/routes.ts';
import { NoQuery } from './http/none.ts';
import { BODY_LIMIT, type Method, type Route, type Row } from './http/route.ts';
import { invoices } from './invoice/routes.ts';
import { issuer } from './issuer/routes.ts';
import { products } from './product/routes.ts';
import { receipts } from './receipt/routes.ts';
import { reports } from './report/routes.ts';
import { webhooks } from './webhook/routes.ts';

/** Every route of the interface. One that is not here does not start; one that nobody serves yet keeps its path. */
const table = { ...invoices, ...receipts, ...customers, ...products, ...issuer, ...credentials, ...reports, ...account, ...webhooks };

/** `POST /invoices`, `GET /invoices/{id}` */
export type RouteName = keyof typeof table;

const whole = ([name, row]: [string, Row]): [string, Route] => {
  const [method, path] = name.split(' ') as [Method, string];
  return [name, { query: NoQuery, bodyLimit: BODY_LIMIT, ...row, method, path }];
};

export const routes = Object.fromEntries(Object.entries<Row>(table).map(whole)) as Record<RouteName, Route>;
export const routeNames = Object.keys(routes) as RouteName[];
