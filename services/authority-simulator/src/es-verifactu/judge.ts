import { createHash } from 'node:crypto';
import { dayIn, millisOf } from '@svc/kernel';
import { at, textAt, type Element } from '../xml/element.ts';
import { schemaErrorOf } from '../xml/schema.ts';
import { canonical } from '../xml/signature.ts';
import type { Book } from '../wires/book.ts';
import { altaOf, altaRules } from './alta.ts';
import { breakdownErrorOf, totalWarnings } from './breakdown.ts';
import { isBegun, note, setBegun } from './chain.ts';
import { personErrorOf, systemErrorOf } from './identities.ts';
import { Invoices, type Invoice } from './invoices.ts';
import { storedOf } from './stored.ts';
import { accepted, rejected, withWarning, type Line } from './line.ts';
import { dayOf, expectedHash, recordOf, type SentRecord } from './record.ts';
import { alta as altaShape, annulment as annulmentShape } from './schema.ts';
import { valueCodes } from './value-codes.ts';

/** What the records of one sending are judged by. */
export interface Sending {
  /** NIF of the header's ObligadoEmision. */
  issuer: string;
  presenter: string;
  isLate: boolean;
  now: number;
  /** Its number and its CSV. */
  request: string;
  csv: string;
  book: Book;
  registry: Book;
}

export const ZONE = 'Europe/Madrid';
const TOLERANCE_MS = 240_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;

/** The path of what a record lacks or has too much: the whole sending is refused then. */
export function structureErrorOf(element: Element): string | undefined {
  const error = schemaErrorOf(element, shapeOf(element));
  return error?.kind === 'structure' ? `${error.path} ${error.reason}` : undefined;
}

const shapeOf = ({ name }: Element): typeof altaShape => (name === 'RegistroAnulacion' ? annulmentShape : altaShape);

/** Judges a record, registers it where it is accepted, and notes it in its chain. `scripted`: the outcome that a script asks for. */
export function judge(element: Element, sending: Sending, scripted: (known: Invoice | undefined) => Line | undefined): Line {
  const record = recordOf(element);
  note(sending.book, record);
  const invoices = new Invoices(sending.book);
  const known = invoices.find(record.id);
  const refused = refusalOf(record, sending);
  if (refused) return refused;
  const forced = scripted(known);
  if (forced?.state === 'Incorrecto') return forced;
  const operation = operationOf(record, known);
  if (operation) return operation;
  const code = forced?.code ?? warningOf(record, sending);
  const line = code === undefined ? accepted : withWarning(code);
  const { request, csv, now, isLate } = sending;
  const sha256 = createHash('sha256').update(canonical(element.node)).digest('hex');
  const operated = textAt(element, 'FechaOperacion');
  invoices.register(storedOf(record, sending.presenter), {
    state: record.isAnnulment ? 'Anulada' : code === undefined ? 'Correcta' : 'AceptadaConErrores',
    ...{ error: code ?? null, hash: record.hash, request, late: isLate, code: csv, sha256, now },
    operated: operated === undefined ? undefined : dayOf(operated),
  });
  setBegun(sending.book, record);
  return line;
}

function refusalOf(record: SentRecord, { issuer, now }: Sending): Line | undefined {
  const { element, isAnnulment, id, generated } = record;
  const error = schemaErrorOf(element, shapeOf(element));
  if (error) return valueRefusal(error.path);
  if (id.nif !== issuer) return rejected(1108);
  if (!TIME.test(generated) || Number.isNaN(millisOf(generated))) return rejected(1244);
  const system = systemErrorOf(at(element, 'SistemaInformatico'));
  if (system !== undefined) return rejected(system);
  const code = isAnnulment ? annulmentErrorOf(element, id.number, issuer) : altaErrorOf(element, now);
  return code === undefined ? undefined : rejected(code, code === 1287 ? { field: 'NumSerieFactura' } : {});
}

function valueRefusal(path: string): Line {
  const name = path.split('/').at(-1) ?? '';
  const block = path.includes('/RegistroAnterior/') ? 'RegistroAnterior/' : '';
  return rejected(valueCodes[`${block}${name}`] ?? valueCodes[name] ?? 1100);
}

function altaErrorOf(element: Element, now: number): number | undefined {
  const alta = altaOf(element, dayIn(ZONE, now));
  return altaRules.find(([, isBroken]) => isBroken(alta))?.[0] ?? personErrorOf(element) ?? breakdownErrorOf(alta);
}

function annulmentErrorOf(element: Element, number: string, issuer: string): number | undefined {
  if (/[<>"'=]/.test(number)) return 1287;
  if (!/^[ -~]*$/.test(number)) return 1130;
  const [by, generator] = [textAt(element, 'GeneradoPor'), at(element, 'Generador')];
  if ((by === undefined) !== (generator === undefined)) return 1224;
  if (by === 'E' && textAt(generator, 'NIF') === undefined) return 1227;
  if (by === 'T' && textAt(generator, 'IDOtro/IDType') === '07') return 1229;
  if (by !== 'E' && textAt(generator, 'NIF') === issuer) return 1259;
  return personErrorOf(element);
}

/** The table of operations: what may follow what is registered of the invoice. undefined: it may. */
function operationOf({ element, isAnnulment, hash }: SentRecord, known: Invoice | undefined): Line | undefined {
  const duplicate = known && { duplicate: { request: known.detail.request, state: known.detail.state, code: known.detail.error } };
  if (isAnnulment) {
    if (textAt(element, 'SinRegistroPrevio') === 'S') return known ? rejected(3000, duplicate) : undefined;
    if (!known) return rejected(3002);
    return known.detail.state === 'Anulada' && known.detail.hash === hash ? rejected(3001) : undefined;
  }
  const isNew = textAt(element, 'Subsanacion') !== 'S' || textAt(element, 'RechazoPrevio') === 'X';
  if (isNew) return known ? rejected(3000, duplicate) : undefined;
  return known ? undefined : rejected(3002);
}

/** The first warning, in the order of the validations (4.3.1): those that need no correction come last. */
function warningOf(record: SentRecord, { book, registry, now, isLate }: Sending): number | undefined {
  const { element, isAnnulment, previous, hash, generated } = record;
  const alta = isAnnulment ? undefined : altaOf(element, dayIn(ZONE, now));
  const isUnknown = (nif: string | undefined): boolean =>
    nif !== undefined && registry.value<{ isKnown: boolean }>('taxpayer', nif)?.isKnown === false;
  if (alta?.recipients.some((one) => isUnknown(textAt(one, 'NIF')))) return 2001;
  if (expectedHash(record) !== hash) return 2000;
  if (previous && previous.hash.length !== 64) return 2002;
  if (previous && !/^[0-9A-F]{64}$/.test(previous.hash)) return 2003;
  if (previous?.hash === hash) return 2008;
  const [total] = alta ? totalWarnings(alta) : [];
  if (total !== undefined) return total;
  if (!previous && isBegun(book, record)) return 2007;
  if (alta?.details.some(({ tax, regime }) => tax === '02' && regime === undefined)) return 2009;
  return !isLate && Math.abs(now - millisOf(generated)) > TOLERANCE_MS ? 2004 : undefined;
}
