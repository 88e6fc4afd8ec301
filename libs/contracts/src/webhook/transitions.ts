import type { Transition } from '../document/transition.ts';
import type { DeliveryStatus } from './vocabulary.ts';

/** Every change of the status of a delivery. No events are sent about deliveries. */
export const deliveryTransitions = [
  { from: [], by: 'an event happens', to: 'pending', event: null },
  { from: [], by: '`POST /v1/webhooks/{id}/recover`', to: 'pending', event: null },
  { from: ['pending'], by: 'an attempt is answered with 2xx', to: 'succeeded', event: null },
  { from: ['pending'], by: 'an attempt fails, and the schedule has another', to: 'same', event: null },
  { from: ['pending'], by: 'the last attempt of the schedule fails', to: 'failed', event: null },
  { from: ['pending'], by: 'the endpoint is disabled or deleted', to: 'cancelled', event: null },
  {
    from: ['failed', 'cancelled'],
    by: '`POST /v1/webhooks/{id}/deliveries/{whd}/redeliver` is answered with 2xx',
    to: 'succeeded',
    event: null,
  },
] as const satisfies readonly Transition<DeliveryStatus>[];
