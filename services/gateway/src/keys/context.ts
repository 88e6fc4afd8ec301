import type { AccountsContext } from '../accounts/context.ts';
import type { Peppers } from './peppers.ts';
import type { AccountStore } from './store.ts';

export interface KeysContext extends AccountsContext {
  store: AccountStore;
  peppers: Peppers;
}
