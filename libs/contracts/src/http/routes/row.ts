import type { Method, Route } from '../route.ts';

/** A route as its table has it; left out: no query, and a body of the usual size. */
export type Row = Omit<Route, 'method' | 'path' | 'query' | 'bodyLimit'> & Partial<Pick<Route, 'query' | 'bodyLimit'>>;
export type Rows = Partial<Record<`${Method} /${string}`, Row>>;

export const BODY_LIMIT = 256 * 1024;
export const BATCH_LIMIT = 1024 * 1024;
