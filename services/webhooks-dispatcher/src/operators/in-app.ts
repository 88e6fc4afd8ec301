import { DELIVERY_WORKER, NOTE_ACTION, WEBHOOKS } from '../context.ts';
import type { OperatorsContext } from './listing.ts';

/** What an operator's commands work with, of an app that has the module. */
export const operatorsIn = (app: { get<T>(token: symbol): T }): OperatorsContext => ({
  context: app.get(WEBHOOKS),
  worker: app.get(DELIVERY_WORKER),
  note: app.get(NOTE_ACTION),
});
