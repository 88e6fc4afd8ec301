export const WEBHOOKS = Symbol('webhooks');

export const DELIVERY_WORKER = Symbol('delivery worker');
