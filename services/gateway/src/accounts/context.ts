import type { Collection } from '@svc/document-store';
import type { Clock, Ids } from '@svc/kernel';
import type { Account } from './account.ts';

/** Dependencies of the use cases of accounts. */
export interface AccountsContext {
  store: { accounts: Collection<Account> };
  clock: Clock;
  ids: Ids;
  /** Empties this process's cache of callers after a change. Other processes notice within 5 s. */
  forget(): void;
}
