import type { Collection, DocumentStore } from '@svc/document-store';
import type { Account } from '../accounts/account.ts';
import type { ApiKey, KeyUse } from './api-key.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { PEPPERS, type PepperRow } from './peppers.ts';

/** Collections of accounts and their keys. */
export interface AccountStore {
  accounts: Collection<Account>;
  keys: Collection<ApiKey>;
  uses: Collection<KeyUse>;
  audit: Collection<AuditEntry>;
  peppers: Collection<PepperRow>;
}

export const accountStore = (documents: DocumentStore): AccountStore => ({
  accounts: documents.collection('accounts'),
  keys: documents.collection('api_keys', {
    indexes: [{ fields: ['current'] }, { fields: ['previous'] }, { fields: ['account', 'env', 'deleted_at', '_id'] }],
  }),
  uses: documents.collection('api_key_uses'),
  audit: documents.collection('audit', { indexes: [{ fields: ['account', '_id'] }] }),
  peppers: documents.collection(PEPPERS),
});
