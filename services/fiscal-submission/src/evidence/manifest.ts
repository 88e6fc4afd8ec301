import type { AttemptEntry } from '@svc/contracts/document/submission';
import type { Env } from '@svc/kernel';
import type { Peer } from '../sending/peer.ts';
import type { ChainLink } from '../chain/domain/link.ts';
import { attemptEntry } from '../submission/attempts.ts';
import type { Attempt } from '../submission/domain/state.ts';
import { registrationOf, type Dossier, type KeptRecord } from './dossier.ts';

/** A file of the bundle. `sha256`: lower-case hex. */
export interface ListedFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** The bytes of one direction of a call; `file` is null where they are not kept. */
interface Kept {
  file: string | null;
  sha256: string;
}

export interface AttemptFiles {
  request: Kept;
  /** `trusted`: whether it was taken for an answer of the authority to that request when it came. */
  response: (Kept & { trusted: boolean }) | null;
  /** The certificate that the authority's server has shown; null: there was no answer, the connection had none, or it was not kept. */
  tls: Peer | null;
}

/** A certificate that stands in messages. `sha256`: of its DER, lower-case hex. */
export interface CertificateFile {
  file: string;
  sha256: string;
  in: string[];
}

export interface Parts {
  env: Env;
  /** ISO 8601 */
  madeAt: string;
  dossier: Dossier;
  /** By number of the attempt. */
  attempts: ReadonlyMap<number, AttemptFiles>;
  /** By record: its file, and that of the record before in its chain. */
  records: ReadonlyMap<KeptRecord, { file: string; previous: string | null }>;
  certificates: readonly CertificateFile[];
  qr: string | null;
  files: readonly ListedFile[];
}

/** What the bundle says of itself: `verify.mjs` reads it, and so may any other program. Version 1. */
export function manifestOf({ env, madeAt, dossier, attempts, records, certificates, qr, files }: Parts): object {
  const { state, resolved } = dossier;
  const registration = registrationOf(state);
  return {
    ...{ object: 'evidence', version: 1, made_at: madeAt, livemode: env === 'live' },
    document: { id: state.document_id, kind: state.kind, number: state.number },
    ...{ issuer_tax_id: state.issuer_tax_id, authority: state.authority, status: state.status },
    registration: registration && { ...registration, qr },
    cancelled_at: state.status === 'cancelled' ? state.cancelled_at : null,
    error: 'error' in state ? state.error : null,
    records: dossier.records.map((record) => recordEntry(record, records.get(record))),
    attempts: state.attempts.map((attempt) => ({ round: attempt.round, ...entryOf(attempt, dossier), ...attempts.get(attempt.n) })),
    attempts_counted_only: Math.max(0, state.attemptCount - state.attempts.length),
    resolved,
    certificates,
    files,
  };
}

/** `amendment`, `cancellation`: the round of the record that it sent. */
function entryOf(
  attempt: Attempt,
  { cancelled }: Dossier,
): Omit<AttemptEntry, 'request_sha256'> & { amendment?: number; cancellation?: number } {
  const { request_sha256: _hash, ...entry } = attemptEntry(attempt);
  const { amendment } = attempt;
  const cancellation = cancelled.get(attempt.n);
  return { ...entry, ...(amendment !== undefined && { amendment }), ...(cancellation !== undefined && { cancellation }) };
}

function recordEntry({ link, record: _text, ...record }: KeptRecord, files: { file: string; previous: string | null } | undefined): object {
  return { ...record, file: files?.file ?? null, chain: link && chainEntry(link, files?.previous ?? null) };
}

const chainEntry = ({ position, at, hash, previous }: ChainLink, file: string | null): object => ({
  ...{ position, at, hash },
  previous: previous && { ...previous, file },
});
