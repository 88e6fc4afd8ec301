import type { CertifiedOf } from '@svc/contracts/credentials/certified-header';
import type { DocumentStore } from '@svc/document-store';
import { installedBy } from './signing/collaborator.ts';
import type { CommonKey } from './signing/keys.ts';
import { CREDENTIALS_COLLECTION, credentialsId, credentialsIndexes, type Credentials } from './credentials/credentials.ts';

/** For documents in the same process: for which authorities live ones of an account have a certificate. */
export function issuerCertificates({
  documents,
  collaborator,
}: {
  documents: DocumentStore;
  collaborator: CommonKey | undefined;
}): CertifiedOf {
  const credentials = documents.collection<Credentials>(CREDENTIALS_COLLECTION, { indexes: credentialsIndexes });
  const installed = [...installedBy(collaborator).keys()];
  return async (of) => {
    const found = await credentials.get(credentialsId(of));
    return found && !found.deleted_at ? 'all' : installed;
  };
}
