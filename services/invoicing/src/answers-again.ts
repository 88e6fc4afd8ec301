import type { AnswerAgain } from '@svc/contracts/http/answer-again';
import type { RouteName } from '@svc/contracts/routes';
import type { EncryptedEventStore } from '@svc/event-store';
import type { Ids } from '@svc/kernel';
import { customerAgain } from './customer/again.ts';
import { createCustomers } from './customer/customers.ts';
import { draftAgain } from './invoice/again.ts';

/** Makes answers of this service again, for a gateway in the same process. */
export function answersAgain({ store, ids }: { store: EncryptedEventStore; ids: Ids }): AnswerAgain {
  const customers = createCustomers({ store, ids });
  const routes: Partial<Record<RouteName, AnswerAgain>> = {
    'POST /customers': customerAgain(customers),
    'POST /invoices': draftAgain(store, customers),
  };
  return async (answered) => routes[answered.route as RouteName]?.(answered);
}
