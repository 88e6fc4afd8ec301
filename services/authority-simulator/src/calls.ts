import type { Key } from './ledger.ts';
import { keyOf } from './record.ts';
import { sha256 } from './signing.ts';

export interface RegistrationCall extends Key {
  message_id: string;
  record: string;
  record_sha256: string;
}

export interface CancellationCall extends Key {
  message_id: string;
  /** Of the record whose registration is cancelled; until 0.3: undefined where callers of 0.1.0 do not say it. */
  record_sha256: string | undefined;
  reason: string;
}

const MAX_ID = 100;
const MAX_TEXT = 1_000;

/** Parses `POST /sandbox/v1/registrations`; returns a text for a malformed call. */
export function registrationCall(taxpayer: string, body: string): RegistrationCall | string {
  const fields = objectOf(body);
  if (!fields) return 'the body is not a JSON object';
  const { message_id, record, record_sha256 } = fields;
  if (!within(message_id, MAX_ID)) return 'message_id is missing';
  if (typeof record !== 'string') return 'record is missing';
  if (record_sha256 !== sha256(record)) return 'record_sha256 is not the hash of record';
  const key = keyOf(record);
  return key
    ? { taxpayer, message_id, record, record_sha256: sha256(record), ...key }
    : 'record names no document_number and issuer_tax_id';
}

/** Parses `POST /sandbox/v1/cancellations`; returns a text for a malformed call. */
export function cancellationCall(taxpayer: string, body: string): CancellationCall | string {
  const fields = objectOf(body);
  if (!fields) return 'the body is not a JSON object';
  const { message_id, document_number, issuer_tax_id, record_sha256, reason } = fields;
  if (!within(message_id, MAX_ID)) return 'message_id is missing';
  if (!within(document_number, MAX_TEXT) || !within(issuer_tax_id, MAX_TEXT)) return 'document_number and issuer_tax_id are needed';
  if (!within(reason, MAX_TEXT)) return 'reason is missing';
  return {
    taxpayer,
    message_id,
    document_number,
    issuer_tax_id,
    reason,
    record_sha256: within(record_sha256, MAX_ID) ? record_sha256 : undefined,
  };
}

const within = (value: unknown, max: number): value is string => typeof value === 'string' && value.length > 0 && value.length <= max;

function objectOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
