import type { Permission } from '../permissions.ts';
import type { Class } from '../schema/class.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Rate limits besides plan and burst. A batch submission costs one `submit` for each id. */
export const costs = ['submit', 'receipts', 'reports'] as const;
export type Cost = (typeof costs)[number];
export const serviceNames = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface Route {
  method: Method;
  /** Path below /v1, with parameters as `{id}`. */
  path: string;
  /** The permission that the key needs; null: none. */
  permission: Permission | null;
  /** HTTP status of success. */
  ok: 200 | 201;
  cost?: readonly Cost[];
  /** So many of a member's requests does it cost, because it reads so many; 1 by default. */
  weighs?: number;
  /** The field of the body with the items of a batch. Ten items cost as much of the plan as one request. */
  items?: 'requests' | 'ids';
  /** It stores something new (`creation`) or a new version of it (`change`), and is refused where the account's storage is used up. */
  stores?: 'creation' | 'change';
  /** True: it takes `Prefer: wait`, to delay the response until the authority has answered. */
  waits?: true;
  /** True: `wait` in its query delays the response until there is something to answer. */
  follows?: true;
  /** True: a list that holds all that was acknowledged before it, or says by `Svc-As-Of` of when it is. */
  isWhole?: true;
  /** The service that has the handler. */
  service: ServiceName;
  /** False: the path is reserved and answers 404. */
  served: boolean;
  /** The body of POST, PUT and PATCH; `EmptyBody` if it has no fields. */
  body?: Class;
  /** The query; `NoQuery` if it has no parameters. */
  query: Class;
  response: Class;
  /** What it answers in place of `response` where a file is asked for. */
  file?: Class;
  /** Maximum size of the body in bytes. */
  bodyLimit: number;
  /** One sentence for the published document. */
  summary: string;
}

type ByDefault = 'ok' | 'query' | 'bodyLimit' | 'served';
/** A row of the table of routes. By default a route answers 200, is served, and has no query parameters and the usual `bodyLimit`. */
export type Row = Omit<Route, 'method' | 'path' | ByDefault> & Partial<Pick<Route, ByDefault>>;
export type Rows = Partial<Record<`${Method} /${string}`, Row>>;

export const BODY_LIMIT = 256 * 1024;
export const BATCH_LIMIT = 1024 * 1024;
