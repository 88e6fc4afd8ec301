import type { AccountsContext } from '../accounts/context.ts';
import type { Peppers } from './peppers.ts';
import type { AccountStore } from './store.ts';

/** Dependencies of the use cases of keys. */
export interface KeysContext extends AccountsContext {
  store: AccountStore;
  peppers: Peppers;
}
