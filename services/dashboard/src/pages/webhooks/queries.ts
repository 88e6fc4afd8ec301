import { answered, ApiError } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { endpointKey } from './endpoints.ts';

const RECOVERY_ASKED_MS = 2_000;

/** One endpoint. While deliveries are made again for it, how far that is. */
export function useEndpoint(id: string) {
  const { console, env } = useConsole();
  return useQuery({
    queryKey: endpointKey(env, id),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.recovery?.status === 'running' ? RECOVERY_ASKED_MS : false),
  });
}

/** The endpoint of a delivery; gone: it was deleted, and its deliveries are kept. */
export function useEndpointOf(id: string) {
  const { data, error } = useEndpoint(id);
  return { endpoint: data, isGone: error instanceof ApiError && error.status === 404 };
}
