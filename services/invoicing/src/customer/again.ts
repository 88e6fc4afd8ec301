import type { AnswerAgain } from '@svc/contracts/http/answer-again';
import { JsonText, prefixed } from '@svc/kernel';
import type { Customers } from './customers.ts';
import { customerResource } from './resource.ts';

/** Makes the answer of `POST /customers` again. undefined: there is no such customer, or it was erased since. */
export const customerAgain =
  (customers: Pick<Customers, 'asOf'>): AnswerAgain =>
  async ({ account, env, command }) => {
    const state = await customers.asOf(account, env, { id: prefixed('cust', command), version: 1 });
    return state?.personal ? new JsonText(JSON.stringify(customerResource(state, 1)), 1) : undefined;
  };
