import type { AccountsContext } from '../accounts/context.ts';
import type { PeopleStore } from './store.ts';

/** Dependencies of the use cases of users and members. */
export interface MembersContext extends AccountsContext {
  people: PeopleStore;
  /** Origin of one-time links, without a trailing slash. */
  publicUrl: string;
}
