import type { Clock, Ids } from '@svc/kernel';
import type { Peppers } from './peppers.ts';
import type { AccountStore } from './store.ts';

/** What the use cases of accounts and keys work with. */
export interface AccountsContext {
  store: AccountStore;
  peppers: Peppers;
  clock: Clock;
  ids: Ids;
  /** Something changed that callers are recognized by: this process forgets what it knows of them (others do within 5 s). */
  forget(): void;
}
