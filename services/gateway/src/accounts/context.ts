import type { Collection } from '@svc/document-store';
import type { Clock, Ids } from '@svc/kernel';
import type { Account } from './account.ts';

export interface AccountsContext {
  store: { accounts: Collection<Account> };
  clock: Clock;
  ids: Ids;
  /**
   * Callers that are cached with what has one of these ids are looked up again in this process, after a change of it. Other processes notice within 5 s. Its entries of the
   * audit are published at once: those of accounts, keys, members and sessions arrive in the order of the changes.
   */
  forget(...ids: string[]): void;
}
