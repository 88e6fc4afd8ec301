import type { Documents, Due } from '@svc/document-store';
import type { Uid } from '@svc/kernel';

/** One Idempotency-Key of one account and environment, or of one API key of them. `_id`: SHA-256 of these and the key. */
export interface IdempotencyRow extends Due {
  fingerprint: string;
  /** The command that every run under this key is. */
  command: Uid;
  /** End of the lease of the request that runs, in milliseconds since 1970; 0: none runs. */
  until: number;
  /** Whose personal data the answer holds: see `subject.ts`. */
  subject: string | null;
  /** The first answer worth keeping; null: there is none yet. */
  answer: KeptAnswer | null;
  /** When the row is removed. */
  due_at: number;
  /** Stands for a row elsewhere, so that a replica of the previous release does not run the request: see `previous-release.ts`. */
  guard?: boolean | undefined;
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  /** As it was sent, or sealed with the key ring where the answer shows a secret. */
  body: string;
  sealed: boolean;
}

export interface Repeatable {
  /** Account and environment. */
  scope: string;
  /** The API key that the Idempotency-Key means a request of; not given: all of the scope. */
  ofKey?: string | undefined;
  key: string;
  fingerprint: string;
  /** Of this request, should it be the first. */
  command: Uid;
}

/** The right to run under a key, until its lease ends. `command` is the one to run as. */
export type Claim = Readonly<IdempotencyRow>;

export const idempotencyRows = (documents: Documents) =>
  documents.collection<IdempotencyRow>('idempotency_keys', { indexes: [{ fields: ['due_at'] }, { fields: ['subject'] }] });
