import type { CertifiedOf } from '@svc/contracts/credentials/certified-header';
import type { DocumentStore } from '@svc/document-store';
import { iso, type Clock } from '@svc/kernel';
import { installedBy } from './signing/collaborator.ts';
import type { CommonKey } from './signing/keys.ts';
import { CREDENTIALS_COLLECTION, credentialsId, credentialsIndexes, inForce, type Credentials } from './credentials/credentials.ts';

/** For documents in the same process: the certificate that live ones of an account have. */
export function issuerCertificates({
  documents,
  collaborator,
  clock,
}: {
  documents: DocumentStore;
  collaborator: CommonKey | undefined;
  clock: Pick<Clock, 'now'>;
}): CertifiedOf {
  const credentials = documents.collection<Credentials>(CREDENTIALS_COLLECTION, { indexes: credentialsIndexes });
  const installed = [...installedBy(collaborator).keys()];
  return async (of) => {
    const found = await credentials.get(credentialsId(of));
    return found && !found.deleted_at ? { subject: inForce(found, iso(clock.now())).subject } : installed;
  };
}
