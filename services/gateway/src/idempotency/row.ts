import type { DocumentStore, Job } from '@svc/document-store';
import type { Uid } from '@svc/kernel';
import { hash } from 'node:crypto';

/** 48 h, and some minutes for the time between the first request and its response. */
export const KEPT_MS = 48 * 3_600_000 + 5 * 60_000;

/** One Idempotency-Key of an account and environment, or of one API key. `_id`: SHA-256 of the scope and the key. */
export interface IdempotencyRow extends Job {
  fingerprint: string;
  /** The command id of every run under this key. */
  command: Uid;
  /** End of the running request's lease, in milliseconds since 1970; 0: none runs. */
  until: number;
  /**
   * The process that has the claim, and the version of the row with it: another version is the claim of a replica of 0.1.0, which leaves this field
   * (until 0.3, `version`). undefined: nothing says that the process is gone before `until`.
   */
  runs_in?: { process: string; version: number } | undefined;
  /** The customer whose personal data the response holds: see `subject.ts`. */
  subject: string | null;
  /** The kept response; null: there is none yet. */
  answer: KeptAnswer | null;
  /** The body of `compressed`. */
  answer_text?: string | undefined;
  /**
   * A kept response in place of `answer`: `answer_text` is its body, compressed with zstd and in base64. Replicas of 0.1.0 see no response, and run the
   * request again under its command id. from 0.3: part of `answer`.
   */
  compressed?: KeptAnswer | undefined;
  /**
   * In place of `answer`: a 201 that is made again of the command's events, in whose commit the row is stored. No other process sees one: what several
   * processes share has no such commit.
   */
  again?: AnsweredAgain | undefined;
  /** When the row is removed, in milliseconds since 1970. */
  due_at: number;
  /** until 0.3: stored by replicas of 0.1.0 for builds before it. */
  guard?: boolean | undefined;
}

export interface AnsweredAgain extends AnswerForm {
  /** As of the request. */
  from: string;
}

/** What the edge makes of an answer for who asks first. */
export interface AnswerForm {
  /** Amounts are texts. */
  amounts?: true;
  /** Personal data are null. */
  withheld?: true;
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  /** As it was sent; encrypted with the key ring (`sealed`) when it shows a secret. Absent: compressed, in the row's `answer_text`. */
  body?: string | undefined;
  sealed: boolean;
}

export interface Repeatable {
  /** Account and environment. */
  scope: string;
  /** The API key that the Idempotency-Key belongs to; undefined: the whole scope. */
  ofKey?: string | undefined;
  key: string;
  fingerprint: string;
  /** The command id, if this request is the first. */
  command: Uid;
  /** Whether the first that it writes are events of this command. */
  appends?: boolean;
  /** The name of its route; undefined: there is none. */
  route?: string | undefined;
  /** How its 201 is made again, once that is known; undefined: it is not. */
  again?: (() => AnsweredAgain | undefined) | undefined;
}

/** The right to run under a key until its lease ends, under the id `command`. */
export type Claim = Readonly<IdempotencyRow>;

/** The collection of rows. Ciphertexts are bound to it by its name. */
export const IDEMPOTENCY_KEYS = 'idempotency_keys';

export const idempotencyRows = (documents: DocumentStore) =>
  documents.collection<IdempotencyRow>(IDEMPOTENCY_KEYS, {
    indexes: [{ fields: ['due_at'] }, { fields: ['subject'], present: 'subject' }],
    texts: ['answer.body', 'answer_text'],
  });

/** A request, as far as it decides its answer. */
export interface Fingerprinted {
  method: string;
  path: string;
  /** As it was sent, without `?`; empty: none. */
  query: string;
  body: Uint8Array | undefined;
}

/**
 * SHA-256 of method, path, query and body bytes. A repeat must have the same one. Headers are not part of it: they decide the form of an answer, and a
 * replay has its first form.
 */
export function fingerprint({ method, path, query, body }: Fingerprinted): string {
  const head = Buffer.from(`${method} ${path}${query === '' ? '' : `?${query}`}\n`);
  return hash('sha256', body === undefined ? head : Buffer.concat([head, body]), 'base64url'); // in one call: a Hash object costs more than the digest
}

/** The row's id. Keys are separate for each account and environment (`scope`). */
export const rowId = (scope: string, key: string): string => hash('sha256', `${scope}\n${key}`, 'base64url');
