import type { Collection } from '@svc/document-store';
import type { Clock } from '@svc/kernel';
import { type Changes, createLookUps } from './look-ups.ts';
import type { Logger } from '@svc/service';
import type { Account } from '../accounts/account.ts';

/** Whether accounts are suspended, at most 5 s ago. */
export interface Suspensions {
  /** Rejects with service_unavailable when the database fails and the last answer is too old. */
  isSuspended(account: string): boolean | Promise<boolean>;
}

export function createSuspensions(
  accounts: Pick<Collection<Account>, 'get'>,
  { clock, logger, changes }: { clock: Clock; logger: Logger; changes: Changes },
): Suspensions {
  const { find } = createLookUps<boolean>({
    ...{ changes, idsOf: (account: string) => [account] },
    lookUp: async (account) => (await accounts.get(account))?.suspended ?? false,
    ...{ clock, logger, failure: 'accounts cannot be looked up' },
    unavailable: 'This link cannot be checked at the moment. Open it again.',
  });
  return { isSuspended: find };
}
