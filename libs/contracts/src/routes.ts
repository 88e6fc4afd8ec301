import { account } from './account/routes.ts';
import { credentials } from './credentials/routes.ts';
import { customers } from './customer/routes.ts';
import { NoQuery } from './http/none.ts';
import { BODY_LIMIT, type Method, type Route, type Row } from './http/route.ts';
import { invoices } from './invoice/routes.ts';
import { issuer } from './issuer/routes.ts';
import { products } from './product/routes.ts';
import { receipts } from './receipt/routes.ts';
import { requests } from './request/routes.ts';
import { reports } from './report/routes.ts';
import type { Class } from './schema/class.ts';
import { webhooks } from './webhook/routes.ts';

/** Every route of the interface. A controller with any other route stops the start. `served: false` reserves a path. */
const table = {
  ...invoices,
  ...receipts,
  ...customers,
  ...products,
  ...issuer,
  ...credentials,
  ...reports,
  ...account,
  ...requests,
  ...webhooks,
};

type Table = typeof table;
/** `POST /invoices`, `GET /invoices/{id}` */
export type RouteName = keyof Table;
export type BodyOf<Name extends RouteName> = Table[Name] extends { body: Class<infer Body> } ? Body : undefined;
/** The validated query of the route, with defaults. */
export type QueryOf<Name extends RouteName> = Table[Name] extends { query: Class<infer Query> } ? Query : NoQuery;
/** The path parameters of the route: `{ id: string }` for `GET /invoices/{id}`. */
export type ParamsOf<Name extends string> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? Record<Param, string> & ParamsOf<Rest>
  : unknown;
/** The resource that the route returns on success, or the link to a file. */
export type AnswerOf<Name extends RouteName> =
  | (Table[Name] extends { response: Class<infer Answer> } ? Answer : never)
  | (Table[Name] extends { file: Class<infer File> } ? File : never);

const whole = ([name, row]: [string, Row]): [string, Route] => {
  const [method, path] = name.split(' ') as [Method, string];
  return [name, { ok: 200, query: NoQuery, bodyLimit: BODY_LIMIT, served: true, ...row, method, path }];
};

export const routes = Object.fromEntries(Object.entries<Row>(table).map(whole)) as Record<RouteName, Route>;
export const routeNames = Object.keys(routes) as RouteName[];

/**
 * The routes that the gateway forwards to services in other processes. Fixed by the gateway's release, so that the published document does
 * not depend on which services are up. Set `served` only after every replica of the service has the route.
 */
export const openRoutes: ReadonlySet<RouteName> = new Set(routeNames.filter((name) => routes[name].served));
