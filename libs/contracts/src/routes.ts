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
import type { Class } from './schema/class.ts';
import { webhooks } from './webhook/routes.ts';

/** Every route of the interface. One that is not here does not start; one with `served: false` keeps its path. */
const table = { ...invoices, ...receipts, ...customers, ...products, ...issuer, ...credentials, ...reports, ...account, ...webhooks };

type Table = typeof table;
/** `POST /invoices`, `GET /invoices/{id}` */
export type RouteName = keyof Table;
/** A judged body of the route. */
export type BodyOf<Name extends RouteName> = Table[Name] extends { body: Class<infer Body> } ? Body : undefined;
/** Its query once judged: defaults are filled in. */
export type QueryOf<Name extends RouteName> = Table[Name] extends { query: Class<infer Query> } ? Query : NoQuery;
/** The parameters of its path; `{ id: string }` of `GET /invoices/{id}`. */
export type ParamsOf<Name extends string> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? Record<Param, string> & ParamsOf<Rest>
  : unknown;
/** What it answers when it succeeds. */
export type AnswerOf<Name extends RouteName> = Table[Name] extends { response: Class<infer Answer> } ? Answer : never;

const whole = ([name, row]: [string, Row]): [string, Route] => {
  const [method, path] = name.split(' ') as [Method, string];
  return [name, { query: NoQuery, bodyLimit: BODY_LIMIT, served: true, ...row, method, path }];
};

export const routes = Object.fromEntries(Object.entries<Row>(table).map(whole)) as Record<RouteName, Route>;
export const routeNames = Object.keys(routes) as RouteName[];

/**
 * What is open to callers where the services are processes of their own. Part of the gateway's release, not asked of the services: a
 * path opens when every replica behind it serves it, and the published document is the same whoever is up.
 */
export const openRoutes: ReadonlySet<RouteName> = new Set(routeNames.filter((name) => routes[name].served));
