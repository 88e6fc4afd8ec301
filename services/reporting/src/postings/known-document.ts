import type { DocumentKind } from '@svc/contracts/documents';
import type { Collection, Doc, Index } from '@svc/document-store';
import type { Day, Env } from '@svc/kernel';
import type { Outcome } from './posting.ts';

/** How far the history of a document that has a number has been read without a gap. `version` is its last line. */
export interface KnownDocument extends Doc {
  account: string;
  env: Env;
  /** Time of its last line's event, ISO 8601. */
  recorded_at: string;
  kind: DocumentKind;
  currency: string;
  outcome: Outcome;
  /** Its amounts count. */
  counts: boolean;
  /** Of the last submission, ISO 8601. */
  submitted_at: string | null;
  /** Its issue date, while it has no outcome. */
  open_on: Day | null;
}

export type KnownDocuments = Collection<KnownDocument>;

export const KNOWN_DOCUMENTS = 'known_documents_v1';
export const knownDocumentIndexes: Index[] = [{ fields: ['account', 'env', 'open_on', '_id'], present: 'open_on' }];
