import { ListOf } from '../http/list.ts';
import type { Rows } from '../http/route.ts';
import { RequestsQuery } from './query.ts';
import { RequestResource } from './resource.ts';

export const requests = {
  'GET /requests': {
    permission: 'settings:read',
    service: 'gateway',
    query: RequestsQuery,
    response: ListOf(RequestResource),
    summary: 'List requests of the last 30 days that were refused or failed, the newest first.',
  },
} satisfies Rows;
