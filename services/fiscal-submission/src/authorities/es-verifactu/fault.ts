import type { Element as DomElement } from '@xmldom/xmldom';
import type { HttpResponse } from '../../sending/http.ts';
import type { Result } from '../../submission/domain/facts.ts';
import { childOf, textOf } from '../../xml/parse.ts';

/** Who may send, and whether. */
const CREDENTIALS = new Set(['4112', '4132', '4140', '4141']);
/** The authority has suspended whoever sends. No program is to try again. */
const SUSPENDED = '4141';
/** "Error técnico", and a service that is not active. */
const LATER = new Set(['3500', '3501', '4103', '4108', '4110', '4111', '4128', '4134']);
const NO_CODE = 'fault';
/** Those of them that one record may cause each time, and what has no code. */
const LATER_OF_RECORD = new Set(['3500', '3501', '4103', NO_CODE]);
/** The issuer's NIF and name, which every record has: none of those sent is taken later. */
const ISSUER = new Set(['4104', '4115', '4116']);
/** A NIF that is not in the census, or has not the form of one: the issuer's, which every record has, or that of one record's customer. */
const CENSUS_OF_RECORD = new Set(['4107', '4109']);
/** The header, and where it is sent. Both are new at each sending, and the records are right. */
const HEADER = new Set([
  ...['4105', '4117', '4118', '4120', '4121', '4122', '4123', '4124', '4125', '4126', '4127', '4129', '4130', '4131', '4133', '4135'],
  '4139',
]);

const CENSUS = 'Set tax_id and legal_name by PATCH /v1/issuer as the census of the AEAT has them, then submit again.';
const SCHEMA = 'The record is malformed, a defect of this software that its operator is alerted of.';

/** Codes of faults that say that a record is malformed. The list of codes is not closed: what is not in it is looked for in the records, too. */
export const isOfContent = (code: string): boolean =>
  /^4\d{3}$/.test(code) && ![CREDENTIALS, LATER, ISSUER, CENSUS_OF_RECORD, HEADER].some((codes) => codes.has(code));

/** Of a call whose certificate the service does not take: it answers with a page. Undefined: it is another answer. */
export const clientRefused = ({ status }: Pick<HttpResponse, 'status'>): Result | undefined =>
  status === 403
    ? {
        ...{ kind: 'deferred', fixable: 'credentials' },
        error: { code: 'certificate_refused', message: 'The authority does not accept the certificate that it was shown (403).' },
      }
    : undefined;

/** Of a message that is a query: nothing of it says what became of the record. A fault of the server says nothing. */
export function faulted(fault: DomElement): Result {
  const text = textOf(childOf(fault, null, 'faultstring'));
  const [, code] = /Codigo\[(\d{3,4})\]/.exec(text) ?? [];
  const isClient = /client$/i.test(textOf(childOf(fault, null, 'faultcode')));
  const error = { code: code ?? NO_CODE, message: text || 'The authority failed and gave no reason.' };
  if (!isClient) return { kind: 'unknown', error };
  if (code === undefined || LATER.has(code)) return { kind: 'deferred', error };
  const fixable = CREDENTIALS.has(code) ? ('credentials' as const) : ('setup' as const);
  return { kind: 'deferred', error, fixable, ...(code === SUSPENDED && { byPerson: true }) };
}

/**
 * Of a sending, which is refused as a whole (service document 1.0.3, 6.2.5): nothing of it is stored. `ofRecords`: for what one of its records may be, so that a
 * smaller one is taken.
 */
export function faultOfSending(fault: DomElement): { result: Result; ofRecords: boolean } {
  const result = faulted(fault);
  if (result.kind !== 'deferred') return { result, ofRecords: false };
  const { code, message } = result.error;
  const rejected = (next: string): Result & { kind: 'rejected' } => ({
    kind: 'rejected',
    error: { code, message: `${message.trim()} ${next}`, fixable: 'setup' },
  });
  if (ISSUER.has(code)) return { result: rejected(CENSUS), ofRecords: false };
  if (CENSUS_OF_RECORD.has(code)) return { result: rejected(CENSUS), ofRecords: true };
  if (LATER_OF_RECORD.has(code)) return { result: { ...result, ofRecord: true }, ofRecords: true };
  return isOfContent(code) ? { result: { ...rejected(SCHEMA), ofRecord: true }, ofRecords: true } : { result, ofRecords: false };
}
