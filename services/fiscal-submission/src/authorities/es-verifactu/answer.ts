import type { Element as DomElement } from '@xmldom/xmldom';
import { iso, millisOf } from '@svc/kernel';
import type { HttpResponse } from '../../sending/http.ts';
import type { Fixable, Result } from '../../submission/domain/facts.ts';
import { childOf, childrenOf, faultIn, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import type { Reference } from './reference.ts';
import { RESPONSE, SF } from './sending.ts';

export interface SendingResult {
  /** One a record, in the order of the sending. */
  lines: Result[];
  /** Seconds before the next sending; null where the answer names none. */
  wait: number | null;
}

type Sent = Pick<Reference, 'nif' | 'number' | 'day' | 'operation'>;

const unknown = (code: string, message: string): Result => ({ kind: 'unknown', error: { code, message } });
const ofAll = (sent: readonly Sent[], result: Result): SendingResult => ({ lines: sent.map(() => result), wait: null });

/** What became of the records of a sending; `isLate`: it said that they are. Throws where the answer is no XML: then it is unknown of all. */
export function readSending(sent: readonly Sent[], { status, body }: HttpResponse, isLate: boolean): SendingResult {
  const root = soapBody(parseXml(body.toString()));
  const fault = faultIn(root);
  if (fault) return ofAll(sent, faulted(fault));
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

/** Errors of the system, the header or the link: not of the document. */
const SETUP = new Set(['1108', '1176', '1177', '1179', '1213', '1220', '1223', '1226', '1180', '1247', '1262', '1263', '1269', '1291']);
/** "Error técnico": the record was refused, and goes again. */
const TECHNICAL = new Set(['1129', '1241', '1243', '1256', '1288']);
const ANNULLED = 'Anulada';
/** It is there already, is annulled already, or is not there: what is known has to be asked. */
const ASK = new Set(['3000', '3001', '3002']);

function refused(error: { code: string; message: string }, { isAnnulled, duplicate }: { isAnnulled: boolean; duplicate: string }): Result {
  const { code } = error;
  if (TECHNICAL.has(code)) return { kind: 'deferred', error };
  if (ASK.has(code) && !(code === '3000' && duplicate === ANNULLED)) return { kind: 'unknown', error };
  if (isAnnulled) return { kind: 'refused', error };
  const fixable: Fixable = code === '3003' ? 'credentials' : SETUP.has(code) ? 'setup' : 'data';
  return { kind: 'rejected', error: { ...error, fixable } };
}

/** Who may send, and whether: 4112, 4132, 4140, and 4141 where sending is suspended. */
const CREDENTIALS = new Set(['4112', '4132', '4140', '4141']);
const LATER = new Set(['3500', '3501', '4103', '4108', '4110', '4111', '4128', '4134']);

/** Of a whole message: nothing of it is stored, and its records keep their links. A fault of the server says nothing. */
export function faulted(fault: DomElement): Result {
  const text = textOf(childOf(fault, null, 'faultstring'));
  const [, code] = /Codigo\[(\d{3,4})\]/.exec(text) ?? [];
  const isClient = /client$/i.test(textOf(childOf(fault, null, 'faultcode')));
  if (!isClient || code === undefined) return unknown(code ?? 'fault', text || 'The authority failed and gave no reason.');
  const error = { code, message: text };
  if (LATER.has(code)) return { kind: 'deferred', error };
  return { kind: 'deferred', error, fixable: CREDENTIALS.has(code) ? 'credentials' : 'setup' };
}
