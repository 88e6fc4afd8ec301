import type { DocumentStore } from '@svc/document-store';
import { ciphertexts as ofFiscalSubmission } from '@svc/fiscal-submission';
import { ciphertexts as ofGateway } from '@svc/gateway';
import { ciphertexts as ofInvoicing } from '@svc/invoicing';
import type { KeyRing } from '@svc/service';
import type { EncryptedDocuments } from '@svc/service/reencryption/stored-ciphertexts';
import { ciphertexts as ofWebhooks } from '@svc/webhooks-dispatcher';

/** Where each service has what it encrypts. */
export const encryptedIn = (documents: (database: string) => DocumentStore, ringOf: (service: string) => KeyRing): EncryptedDocuments[] =>
  [
    { service: 'gateway', database: 'svc_gateway', ciphertexts: ofGateway },
    { service: 'invoicing', database: 'svc_invoicing', ciphertexts: ofInvoicing },
    { service: 'fiscal-submission', database: 'svc_fiscal_submission', ciphertexts: ofFiscalSubmission },
    { service: 'webhooks-dispatcher', database: 'svc_webhooks', ciphertexts: ofWebhooks },
  ].map(({ database, service, ciphertexts }) => ({ service, ciphertexts, documents: documents(database), ring: ringOf(service) }));
