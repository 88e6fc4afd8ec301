import { ApiError } from '@svc/client/console';
import { QueryClient } from '@tanstack/react-query';

const TRIES = 2;
/** A limit of a minute is waited for by several reads at once, which take what it gives back one after the other. */
const TRIES_AT_LIMIT = 10;
const LONGEST_WAIT_S = 60;

/** Seconds after which a read that met a limit is sent again; undefined: another failure, or a longer time than a person waits. */
const waitOf = (error: Error): number | undefined => {
  if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfter === undefined) return undefined;
  return error.retryAfter <= LONGEST_WAIT_S ? error.retryAfter : undefined;
};

/** The cache of the pages of one member. An answer that says no says it again: it is not asked for twice. */
export const pageQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry(times, error) {
          if (waitOf(error) !== undefined) return times < TRIES_AT_LIMIT;
          return times < TRIES && (!(error instanceof ApiError) || error.status === 0 || error.status === 503);
        },
        retryDelay: (times, error) => (waitOf(error) ?? 2 ** times) * 1_000,
      },
    },
  });
