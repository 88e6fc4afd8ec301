import type { Collection, DocumentStore } from '@svc/document-store';
import type { Account } from '../accounts/account.ts';
import type { ApiKey, KeyUse } from './api-key.ts';
import { PEPPERS, type PepperRow } from './peppers.ts';

export interface AccountStore {
  accounts: Collection<Account>;
  keys: Collection<ApiKey>;
  uses: Collection<KeyUse>;
  peppers: Collection<PepperRow>;
}

export const accountStore = (documents: DocumentStore): AccountStore => ({
  accounts: documents.collection('accounts', { indexes: [{ fields: ['due_at'] }] }),
  keys: documents.collection('api_keys', {
    indexes: [
      { fields: ['current'] },
      { fields: ['previous'] },
      { fields: ['account', 'env', 'deleted_at', '_id'] },
      { fields: ['account', 'deleted_at', '_id'] },
      { fields: ['due_at'] },
    ],
  }),
  uses: documents.collection('api_key_uses'),
  peppers: documents.collection(PEPPERS),
});
