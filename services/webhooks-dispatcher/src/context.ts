/** Nest's injection token of the `WebhooksContext`. */
export const WEBHOOKS = Symbol('webhooks');

/** Nest's injection token of the `DeliveryWorker`. */
export const DELIVERY_WORKER = Symbol('delivery worker');
