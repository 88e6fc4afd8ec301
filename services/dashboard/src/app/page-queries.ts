import { ApiError } from '@svc/client/console';
import { QueryClient } from '@tanstack/react-query';

/** The cache of the pages of one member. An answer that says no says it again: it is not asked for twice. */
export const pageQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (times, error) => times < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status === 503),
      },
    },
  });
