type Search = Record<string, string | undefined>;

/** The list that a page of one thing belongs to, by the route of the page: `/app/webhooks/$id/deliveries/$whd` is `/app/webhooks`. */
export const listRoute = (route: string): string => route.split('/$')[0] ?? route;

/**
 * The filters that a list keeps in the other environment: none of the page, and no id, since its things are others. A page of one thing leads to its list, which has
 * other filters.
 */
export const keptSearch = (route: string, search: Search): Search =>
  listRoute(route) === route
    ? Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'page' && name !== 'live' && !name.endsWith('_id')))
    : {};
