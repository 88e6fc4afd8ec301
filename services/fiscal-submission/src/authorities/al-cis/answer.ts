import type { Element as DomElement } from '@xmldom/xmldom';
import { iso, millisOf } from '@svc/kernel';
import type { HttpResponse } from '../../sending/http.ts';
import type { Message } from '../../submission/authority.ts';
import type { Fixable, Result } from '../../submission/domain/facts.ts';
import { childOf, faultIn, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import { verifiedElement, type Trust } from '../../xml/verify.ts';
import { uuid4 } from './message.ts';

const UUID = /^[0-9a-f-]{36}$/i;
const invoice = { name: 'RegisterInvoiceResponse', code: 'FIC', form: UUID };
/** Of a FIC (UUIDSType), as answers have it. */
export const CODE_FORM = { pattern: UUID, words: 'a UUID, such as 5d3b1f0e-6c2a-4b7d-9f18-3a4c5e6d7f80' };
const answers: Partial<Record<Message['kind'], typeof invoice>> = {
  deposit: { name: 'RegisterCashDepositResponse', code: 'FCDC', form: UUID },
  till: { name: 'RegisterTCRResponse', code: 'TCRCode', form: /^[a-z]{2}[0-9]{3}[a-z]{2}[0-9]{3}$/ },
};
/** The till was opened before, by this software or another. */
const OPEN_ALREADY = '56';

const unknown = (code: string, message: string): Result => ({ kind: 'unknown', error: { code, message } });

/** The result of a response of the service: its signed answer to this very message, or a fault, which is not signed. Throws where it is no XML. */
export function readCisAnswer(
  message: Pick<Message, 'id' | 'body' | 'kind'>,
  { status, body }: HttpResponse,
  { trust, namespace }: { trust: Trust; namespace: string },
): Result {
  const root = soapBody(parseXml(body.toString()));
  const fault = faultIn(root);
  if (fault) return faulted(message, fault);
  const { name, code: codeName, form } = answers[message.kind] ?? invoice;
  if (root?.localName !== name || root.namespaceURI !== namespace)
    return unknown('unexpected_answer', `The answer (${status}) is not one to a registration.`);
  const signedAt = millisOf(childOf(root, namespace, 'Header')?.getAttribute('SendDateTime') ?? '');
  const answer = verifiedElement(root, 'Response', trust, signedAt);
  if (!answer) return unknown('untrusted_answer', `The answer (${status}) bears no valid signature of ${trust.signer}.`);
  const header = childOf(answer, namespace, 'Header');
  if (!isSame(header?.getAttribute('RequestUUID') ?? '', message.id))
    return unknown('wrong_request', 'The service answered to another request.');
  const code = textOf(childOf(answer, namespace, codeName));
  if (!form.test(code)) return unknown('unexpected_answer', `The signed answer has no ${codeName}.`);
  const isLate = message.body?.includes(' SubseqDelivType="') ?? false;
  return { kind: 'registered', code, registered_at: iso(signedAt), warnings: [], late: isLate };
}

const isSame = (answered: string, id: string): boolean => answered.toLowerCase() === uuid4(id).toLowerCase();

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const DATA = new Set([1, 11, 40, 50, 51, 54, 59, 60, 61]);
const CREDENTIALS = new Set(range(34, 39));
const CLOCK = new Set([2, 49]);

/** A fault (3.9.2) is about the message that it names. It refuses, except where the clocks differ or the service itself has failed. */
function faulted(message: Pick<Message, 'id' | 'kind'>, fault: DomElement): Result {
  const detail = childOf(fault, null, 'detail');
  const text = textOf(childOf(fault, null, 'faultstring')) || 'The service gave no reason.';
  const code = textOf(childOf(detail, null, 'code'));
  const request = textOf(childOf(detail, null, 'requestUUID'));
  const error = { code: code || 'fault', message: text };
  if (!/^\d{1,3}$/.test(code) || Number(code) >= 900) return { kind: 'unknown', error };
  if (request !== '' && !isSame(request, message.id)) return unknown('wrong_request', 'The service answered to another request.');
  if (message.kind === 'deposit' && code === OPEN_ALREADY) return { kind: 'registered', code, registered_at: iso(0), warnings: [] };
  const number = Number(code);
  if (CLOCK.has(number)) return { kind: 'deferred', error, fixable: 'setup', ofAll: true };
  if (CREDENTIALS.has(number)) return { kind: 'deferred', error, fixable: 'credentials' };
  const fixable: Fixable = DATA.has(number) ? 'data' : 'setup';
  // The list of codes is not exhaustive: what a duplicate is answered is not in it.
  return { kind: isDuplicate(text) ? 'foreign' : 'rejected', error: { ...error, fixable } };
}

const isDuplicate = (text: string): boolean => /duplicat|already (registered|exists)/i.test(text);

/** The head of an answer has it; what comes later is not looked at. */
const HEAD_BYTES = 4_096;
const SENT = /<(?:[\w.-]+:)?Register\w+Response\b[^]*?<(?:[\w.-]+:)?Header\b[^>]*?\sSendDateTime="([^"]+)"/;

/** When the service signed its answer, in milliseconds since 1970; NaN for a fault. */
export const signedAt = ({ body }: Pick<HttpResponse, 'body'>): number =>
  millisOf(SENT.exec(body.subarray(0, HEAD_BYTES).toString('latin1'))?.[1] ?? '');
