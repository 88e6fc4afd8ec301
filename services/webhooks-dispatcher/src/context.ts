export const WEBHOOKS = Symbol('webhooks');

export const DELIVERY_WORKER = Symbol('delivery worker');
export const NOTE_ACTION = Symbol('notes the action of an operator');
