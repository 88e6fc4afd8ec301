import type { Clock, Ids } from '@svc/kernel';
import type { Peppers } from './peppers.ts';
import type { AccountStore } from './store.ts';

/** Dependencies of the use cases of accounts and keys. */
export interface AccountsContext {
  store: AccountStore;
  peppers: Peppers;
  clock: Clock;
  ids: Ids;
  /** Empties this process's cache of callers after a change. Other processes notice within 5 s. */
  forget(): void;
}
