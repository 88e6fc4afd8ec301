import type { Collection, DocumentStore, Job } from '@svc/document-store';
import type { Env } from '@svc/kernel';

/** A mail to the owners of an account that is not sent yet. `_id` is what it is about, so that a repeated event makes no second one. */
export interface Mail extends Job {
  account: string;
  env: Env;
  kind: 'endpoint_disabled' | 'document_refused' | 'document_ends' | 'certificate_ends';
  /** Of the document or endpoint; null: of the account. */
  subject_id: string | null;
  /** What happened: an address, a reason, a date. Nothing of customers. */
  detail: string;
  /** Ids of the mails that owners have got, a hash each. */
  sent?: string[];
  /** Failed tries. */
  tries: number;
  /** It was sent, or given up. The row stays until `kept_until`, so that it is not made again. */
  done: boolean;
  /** Milliseconds since 1970. */
  kept_until: number;
}

export const mailRows = (documents: DocumentStore): Collection<Mail> =>
  documents.collection('mails', { indexes: [{ fields: ['due_at'] }] });
