import { answered, ApiError } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useListSearch } from '../../ui/list-search.ts';
import { endpointKey, type EventName } from './endpoints.ts';

const RECOVERY_ASKED_MS = 2_000;
const REFRESHED_MS = 15_000;

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

/** A page of the deliveries of an endpoint, by the address. `recovery`: the state of its newest recovery, whose end is shown at once. */
export function useDeliveries(id: string, recovery: string | undefined) {
  const { console, env } = useConsole();
  const search = useListSearch(['status', 'event_type', 'resource_id', 'created_from', 'created_to']);
  const { filters, page } = search;
  const reading = useQuery({
    queryKey: [...endpointKey(env, id), 'deliveries', filters, page, recovery],
    queryFn({ signal }) {
      const { status, event_type: type, resource_id: resource, ...days } = filters;
      const listed = {
        status: listOf(status) as Resource<'Delivery'>['status'][] as never,
        event_type: listOf(type) as EventName[] | undefined,
        resource_id: listOf(resource),
      };
      return answered(
        console.GET('/console/v1/webhooks/{id}/deliveries', { params: { path: { id }, query: { ...days, ...listed, page } }, signal }),
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESHED_MS,
  });
  return { reading, search };
}

const listOf = (text: string | undefined): string[] | undefined => text?.split(',').map((one) => one.trim());
