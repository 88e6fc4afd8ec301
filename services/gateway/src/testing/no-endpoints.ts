import type { EndpointHours } from '@svc/contracts/webhook/endpoint-hours';

/** Of a gateway without a dispatcher. */
export const noEndpoints: EndpointHours = async ({ from }) => ({ counted_from: from, data: [] });
