import { answered } from '@svc/client/console';
import { queryOptions } from '@tanstack/react-query';
import { general } from '../api/consoles.ts';

/** What live documents still need. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => answered(general.GET('/console/setup', { signal })),
});
