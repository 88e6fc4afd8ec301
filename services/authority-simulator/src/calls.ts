import type { Key, Written } from './ledger.ts';
import { sha256, type Fix } from './answer.ts';

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

export interface RecordError {
  code: string;
  message: string;
  fix: Fix;
}

/** The fields that the authority checks; the rest of a record is covered by its hash. */
interface Fields {
  document_number: string;
  issuer_tax_id: string;
  issuer_code: string;
  issued_at: string;
  currency: string;
  total: string;
}

const text = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 255;
const checks: Record<keyof Fields, (value: unknown) => boolean> = {
  document_number: text,
  issuer_tax_id: text,
  issuer_code: (value) => text(value) && /^[0-9A-F]{32}$/.test(value),
  issued_at: (value) => text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  currency: (value) => text(value) && /^[A-Z]{3}$/.test(value),
  total: (value) => text(value) && /^-?\d+(\.\d+)?$/.test(value),
};

/** The document of a record; undefined when the text is not a record. */
function keyOf(record: string): Written | undefined {
  const fields = parsed(record);
  return fields && text(fields.document_number) && text(fields.issuer_tax_id)
    ? { document_number: fields.document_number, issuer_tax_id: fields.issuer_tax_id }
    : undefined;
}

/** Empty where the record has none. */
export const issuerCodeOf = (record: string): string => {
  const code = parsed(record)?.issuer_code;
  return text(code) ? code : '';
};

/** Why a record is rejected: a missing or malformed field, or an issuer code that does not match its fields; else undefined. */
export function recordErrorOf(record: string): RecordError | undefined {
  const fields = parsed(record) ?? {};
  const wrong = Object.entries(checks).filter(([name, check]) => !check(fields[name as keyof Fields]));
  if (wrong.length > 0)
    return { code: 'SBX-1000', message: `The record is malformed: ${wrong.map(([name]) => name).join(', ')}.`, fix: 'data' };
  const { issuer_tax_id, issued_at, document_number, total, issuer_code } = fields as Fields;
  const expected = sha256(`${issuer_tax_id}|${issued_at}|${document_number}|${total}`).slice(0, 32).toUpperCase();
  return issuer_code === expected
    ? undefined
    : { code: 'SBX-1002', message: 'issuer_code is not the code of this document.', fix: 'setup' };
}

function parsed(record: string): Partial<Record<keyof Fields, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(record);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
