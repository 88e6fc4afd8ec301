import type { Element as DomElement } from '@xmldom/xmldom';
import { iso, millisOf } from '@svc/kernel';
import type { HttpResponse } from '../../sending/http.ts';
import type { Fixable, Result } from '../../submission/domain/facts.ts';
import { childOf, childrenOf, faultIn, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import { clientRefused, faultOfSending } from './fault.ts';
import type { Reference } from './reference.ts';
import { RESPONSE, SF } from './sending.ts';

export interface SendingResult {
  /** One a record, in the order of the sending. */
  lines: Result[];
  /** Seconds before the next sending; null where the answer names none. */
  wait: number | null;
  /** The message was refused, for what one of its records may be. */
  refusedTogether?: true;
}

type Sent = Pick<Reference, 'nif' | 'number' | 'day' | 'operation'>;

const unknown = (code: string, message: string): Result => ({ kind: 'unknown', error: { code, message } });
const ofAll = (sent: readonly Sent[], result: Result): SendingResult => ({ lines: sent.map(() => result), wait: null });

/** Nothing of it is stored, and its records keep their links. */
function refusedWhole(sent: readonly Sent[], fault: DomElement): SendingResult {
  const { result, ofRecords } = faultOfSending(fault);
  const lines = sent.map(({ operation }): Result => {
    if (result.kind !== 'rejected' || operation === 'Alta') return result;
    const { code, message } = result.error;
    return { kind: 'refused', error: { code, message }, ...(result.ofRecord && { ofRecord: result.ofRecord }) };
  });
  return { lines, wait: null, ...(ofRecords && { refusedTogether: true }) };
}

/** What became of the records of a sending; `isLate`: it said that they are. Throws where the answer is no XML: then it is unknown of all. */
export function readSending(sent: readonly Sent[], { status, body }: HttpResponse, isLate: boolean): SendingResult {
  const refused = clientRefused({ status });
  if (refused) return ofAll(sent, refused);
  const root = soapBody(parseXml(body.toString()));
  const fault = faultIn(root);
  if (fault) return refusedWhole(sent, fault);
  if (root?.localName !== 'RespuestaRegFactuSistemaFacturacion' || root.namespaceURI !== RESPONSE)
    return ofAll(sent, unknown('unexpected_answer', `The answer (${status}) is not one to a sending.`));
  const lines = childrenOf(root).filter(({ localName }) => localName === 'RespuestaLinea');
  const common = { csv: textOf(childOf(root, RESPONSE, 'CSV')), at: presentedAt(root), isLate };
  const byRecord = new Map(lines.map((line) => [keyOf(lineId(line)), line]));
  const wait = Number(textOf(childOf(root, RESPONSE, 'TiempoEsperaEnvio')) || Number.NaN);
  return {
    lines: sent.map((one) => {
      const line = byRecord.get(keyOf(one));
      return line ? lineResult(line, common) : unknown('no_line', 'The answer has no line about this record.');
    }),
    wait: Number.isFinite(wait) ? wait : null,
  };
}

const keyOf = ({ nif, number, day, operation }: Sent): string => JSON.stringify([nif, number, day, operation]);

function lineId(line: DomElement): Sent {
  const id = childOf(line, RESPONSE, 'IDFactura');
  const of = (name: string): string => textOf(childOf(id, SF, name));
  const operation = textOf(childOf(childOf(line, RESPONSE, 'Operacion'), SF, 'TipoOperacion')) === 'Anulacion' ? 'Anulacion' : 'Alta';
  return { nif: of('IDEmisorFactura'), number: of('NumSerieFactura'), day: of('FechaExpedicionFactura'), operation };
}

const presentedAt = (root: DomElement): string => {
  const at = textOf(childOf(childOf(root, RESPONSE, 'DatosPresentacion'), SF, 'TimestampPresentacion'));
  return at === '' ? '' : iso(millisOf(at));
};

function lineResult(line: DomElement, { csv, at, isLate }: { csv: string; at: string; isLate: boolean }): Result {
  const of = (name: string): string => textOf(childOf(line, RESPONSE, name));
  const state = of('EstadoRegistro');
  const code = of('CodigoErrorRegistro');
  const isAnnulled = lineId(line).operation === 'Anulacion';
  if (state === 'Correcto' || state === 'AceptadoConErrores') {
    if (csv === '' || at === '') return unknown('unexpected_answer', 'The answer accepts the record and bears no CSV.');
    if (isAnnulled) return { kind: 'cancelled', cancelled_at: at };
    return {
      kind: 'registered',
      code: csv,
      code_kind: 'csv',
      registered_at: at,
      late: isLate,
      ...warnedOf(state, code, of('DescripcionErrorRegistro')),
    };
  }
  if (state !== 'Incorrecto') return unknown('unexpected_answer', `The answer has a line with the state ${state || 'none'}.`);
  const error = { code: code || 'none', message: of('DescripcionErrorRegistro') || 'The authority gave no reason.' };
  return refused(error, {
    isAnnulled,
    duplicate: textOf(childOf(childOf(line, RESPONSE, 'RegistroDuplicado'), SF, 'EstadoRegistroDuplicado')),
  });
}

/** The warning of a record that is accepted all the same. */
export const warnedOf = (state: string, code: string, message: string) =>
  state === 'AceptadoConErrores'
    ? { warnings: [code], warned: [{ code, message: message || 'The authority gave no reason.' }] }
    : { warnings: [] };

/** What is accepted with errors and has to be mended: the recipient's number (2001) is the issuer's to correct, what is late (2004, 2009) needs no correction. */
export const isFlawed = (code: string): boolean => /^2\d{3}$/.test(code) && !['2001', '2004', '2009'].includes(code);
/** Errors of the system, the header or the link: not of the document, and made by this software. */
export const isOfSystem = (code: string): boolean => SETUP.has(code);
const SETUP = new Set(['1108', '1176', '1177', '1179', '1213', '1220', '1223', '1226', '1180', '1247', '1262', '1263', '1269', '1291']);
/** "Error técnico": the record was refused, and goes again. */
const TECHNICAL = new Set(['1129', '1241', '1243', '1256', '1288']);
const ANNULLED = 'Anulada';
/** It is there already, is annulled already, or is not there: what is known has to be asked. */
const ASK = new Set(['3000', '3001', '3002']);

function refused(error: { code: string; message: string }, { isAnnulled, duplicate }: { isAnnulled: boolean; duplicate: string }): Result {
  const { code } = error;
  if (TECHNICAL.has(code)) return { kind: 'deferred', error, ofRecord: true };
  // A registration of what is annulled comes to nothing; an annulment of it may be the one that has annulled it.
  const isOfAnnulled = code === '3000' && duplicate === ANNULLED && !isAnnulled;
  if (ASK.has(code) && !isOfAnnulled) return { kind: 'unknown', error };
  if (isAnnulled) return { kind: 'refused', error };
  const fixable: Fixable = code === '3003' ? 'credentials' : SETUP.has(code) ? 'setup' : 'data';
  return { kind: 'rejected', error: { ...error, fixable } };
}

/** The head of an answer has it, before its lines: an answer has up to 1 MB. */
const HEAD_BYTES = 4_096;
const PRESENTED = /<(?:[\w.-]+:)?RespuestaRegFactuSistemaFacturacion\b[^]*?<(?:[\w.-]+:)?TimestampPresentacion>\s*([^<\s]+)\s*</;

/** When the service took a sending, in milliseconds since 1970; NaN for another answer. */
export const takenAt = ({ body }: Pick<HttpResponse, 'body'>): number =>
  millisOf(PRESENTED.exec(body.subarray(0, HEAD_BYTES).toString('latin1'))?.[1] ?? '');
