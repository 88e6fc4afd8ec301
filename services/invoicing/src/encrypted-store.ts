import type { DocumentStore } from '@svc/document-store';
import {
  countedStore,
  documentSubjectKeys,
  SUBJECT_KEYS,
  encryptedEventStore,
  type EncryptedEventStore,
  type EventStore,
  type Secrets,
} from '@svc/event-store';
import type { Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';

export interface EncryptedStoreOptions {
  eventStore: EventStore;
  /** Database `svc_invoicing`, which holds the keys of personal data. */
  documents: DocumentStore;
  /** Encrypts these keys. */
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

/** The event store of this service, which encrypts and decrypts personal data. One per process, since it keeps keys for some seconds. */
export const encryptedStore = ({ eventStore, documents, secrets, clock, logger }: EncryptedStoreOptions): EncryptedEventStore =>
  encryptedEventStore(
    countedStore(eventStore, 'invoicing'),
    documentSubjectKeys({ collection: documents.collection(SUBJECT_KEYS), secrets, clock }),
    logger,
  );
