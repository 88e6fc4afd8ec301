import type { Permission } from '../account/vocabulary.ts';
import type { Class } from '../schema/class.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Limits besides plan and burst. A batch submission counts on `submit` once per id. */
export const costs = ['submit', 'receipts', 'reports'] as const;
export type Cost = (typeof costs)[number];
export const serviceNames = ['invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface Route {
  method: Method;
  /** Below /v1, with parameters as `{id}`. */
  path: string;
  /** Null: any valid key. */
  permission: Permission | null;
  /** Status of success. */
  ok: 200 | 201;
  cost?: readonly Cost[];
  /** The service that answers. */
  service: ServiceName;
  /** False: the path is kept, and nobody answers yet. */
  served: boolean;
  /** Of POST, PUT and PATCH; EmptyBody where no field is taken. */
  body?: Class;
  /** NoQuery where no parameter is taken. */
  query: Class;
  response: Class;
  /** Most bytes of a body. */
  bodyLimit: number;
  /** One sentence for the reader of the published document. */
  summary: string;
}

/** A route as its table has it; left out: it is served, takes no query, and a body of the usual size. */
export type Row = Omit<Route, 'method' | 'path' | 'query' | 'bodyLimit' | 'served'> &
  Partial<Pick<Route, 'query' | 'bodyLimit' | 'served'>>;
export type Rows = Partial<Record<`${Method} /${string}`, Row>>;

export const BODY_LIMIT = 256 * 1024;
export const BATCH_LIMIT = 1024 * 1024;
