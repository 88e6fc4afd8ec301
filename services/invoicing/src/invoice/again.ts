import type { AnswerAgain } from '@svc/contracts/http/answer-again';
import type { EventStore } from '@svc/event-store';
import { JsonText, prefixed } from '@svc/kernel';
import type { Customers } from '../customer/customers.ts';
import { answeredWith } from './answer.ts';
import { invoices } from './invoices.ts';

/**
 * Makes the answer of `POST /invoices` again: the draft as its first event has made it, with the name of its customer as that was; null where the customer was
 * erased since. undefined: there is no such draft.
 */
export function draftAgain(store: Pick<EventStore, 'read'>, customers: Pick<Customers, 'asOf'>): AnswerAgain {
  const { decider, events, isShown, resource } = invoices.definition;
  return async ({ account, env, command, answeredFrom: version }) => {
    const [first] = await store.read(invoices.stream({ account, env, id: prefixed('inv', command) }), 0n, 1);
    const state = first ? decider.evolve(null, events.decode(first)) : null;
    if (!isShown(state)) return undefined;
    const { content } = state;
    const customer = await customers.asOf(account, env, { id: content.customer_id, version: Number(version) });
    return answeredWith(new JsonText(JSON.stringify(resource(state, 1)), 1), content, customer);
  };
}
