import { createHash } from 'node:crypto';
import { dayIn, iso } from '@svc/kernel';
import { testAuthority } from '../pki/test-authority.ts';
import { countOf, faultOf, type Fault } from '../wires/faults.ts';
import { localTime } from '../wires/local-time.ts';
import { after, before } from '../wires/outcomes.ts';
import { pageReply, type Exchanged, type Reply, type Wire, type WireContext, type WireRequest } from '../wires/wire.ts';
import { at, textAt, type Element } from '../xml/element.ts';
import { clientFault, sendingReply, type AnsweredLine } from './answers.ts';
import { note } from './chain.ts';
import { maySendFor, nifOf, trustedCertificate } from './holder.ts';
import { Invoices } from './invoices.ts';
import { judge, structureErrorOf, ZONE, type Sending } from './judge.ts';
import { rejected } from './line.ts';
import { MOST_BYTES, names, queryErrorOf, requestElement, sendingErrorOf } from './message.ts';
import { noteAnswer, noteSending } from './pace.ts';
import { answerQuery } from './query.ts';
import { idOf, recordOf } from './record.ts';
import { isOfSending, scriptedFault, scriptedLine } from './scripts.ts';
import { storedOf } from './stored.ts';

export const COUNTRY = 'ES';
const AUTHORITY = 'es-verifactu';
const WAIT_S = 60;

/** VERI*FACTU: sendings and queries. */
export function verifactuWire(): Wire {
  const authority = testAuthority(COUNTRY);

  function answer(request: WireRequest, context: WireContext): Exchanged {
    const { method, body, isTooLarge, clientCertificate } = request;
    if (method !== 'POST') return { operation: '', fault: null, reply: clientFault(4135) };
    const element = isTooLarge ? 4114 : requestElement(body);
    const operation = typeof element === 'number' ? '' : element.name;
    const issuer = typeof element === 'number' ? '' : (textAt(element, 'Cabecera/ObligadoEmision/NIF') ?? '');
    const records = typeof element === 'number' ? [] : recordsOf(element);
    const faults = takeFaults(request, context, { operation, tax_id: issuer }, records, element);
    const fault = faults.find((one) => one && isOfSending(one)) ?? faults.find((one) => one && one.name !== 'accept');
    const exchanged = (reply: Reply): Exchanged => ({ operation, fault: fault?.name ?? null, reply: after(fault, reply) });
    if (fault?.name === 'fault_client') noteAll(records, context);
    const early = before(fault) ?? scriptedFault(fault);
    if (early) return { ...exchanged(early), reply: early };
    const now = context.now + (fault?.name === 'clock' ? secondsOf(fault) * 1_000 : 0);
    const holder = holderOf(clientCertificate, context, now);
    if (holder === undefined) return exchanged(pageReply(403, 'The certificate is missing, or it is not accepted.'));
    if (typeof element === 'number') return exchanged(clientFault(element));
    const code = element.name === names.query ? queryErrorOf(element) : sendingErrorOf(element, dayIn(ZONE, now));
    if (code !== undefined) return exchanged(clientFault(code));
    const denied = deniedCode(element, issuer, holder, context);
    if (denied !== undefined) return exchanged(clientFault(denied));
    if (element.name === names.query) {
      const blindMs = fault?.name === 'query_blind' ? countOf(fault) * 1_000 : 0;
      return exchanged(answerQuery(element, { book: context.book, now, blindMs }));
    }
    if (records.some((record) => structureErrorOf(record) !== undefined)) {
      noteAll(records, context);
      return exchanged(clientFault(4102));
    }
    return exchanged(send(element, records, { context, now, issuer, holder: holder === '' ? issuer : holder, faults, fault }));
  }

  /** The NIF of the client's certificate; empty where the connection is not TLS; undefined where the certificate is refused. */
  function holderOf(der: Buffer | null | undefined, { registry }: WireContext, now: number): string | undefined {
    if (der === undefined) return '';
    const certificate = der && trustedCertificate(der, authority, registry, now);
    return certificate ? (nifOf(certificate) ?? 'unknown') : undefined;
  }

  return {
    authority: AUTHORITY,
    paths: ['/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP'],
    maxBody: MOST_BYTES,
    answer,
  };
}

/** Records that are refused with their whole sending: those behind them cite them all the same. */
function noteAll(records: readonly Element[], { book }: WireContext): void {
  for (const record of records) note(book, recordOf(record));
}

const recordsOf = (element: Element): Element[] =>
  element.children.filter(({ name }) => name === 'RegistroFactura').flatMap(({ children }) => children.slice(0, 1));
const numberOf = (record: Element): string => recordOf(record).id.number;

/**
 * The faults of a message's records, by their order; one of a whole sending ends them. A header that scripts such a one holds for the first
 * record alone, so that a sending has it once.
 */
function takeFaults(
  { headers }: WireRequest,
  { fault, scripted }: WireContext,
  call: { operation: string; tax_id: string },
  records: readonly Element[],
  element: Element | number,
): (Fault | undefined)[] {
  const script = faultOf(AUTHORITY, Buffer.from(headers['x-simulate'] ?? '', 'latin1').toString('utf8'));
  const asked = typeof element === 'number' ? '' : (textAt(element, 'FiltroConsulta/NumSerieFactura') ?? '');
  const numbers = records.length > 0 ? records.map(numberOf) : [asked];
  const faults: (Fault | undefined)[] = [];
  for (const [n, number] of numbers.entries()) {
    const take = n > 0 && script && isOfSending(script) ? scripted : fault;
    const taken = take({ ...call, number });
    faults.push(taken);
    if (taken && isOfSending(taken)) break;
  }
  return faults;
}

function deniedCode(element: Element, issuer: string, holder: string, { registry }: WireContext): number | undefined {
  if (registry.value<{ isKnown: boolean }>('taxpayer', issuer)?.isKnown === false) return 4104;
  if (holder === '') return undefined;
  const representative = textAt(element, 'Cabecera/Representante/NIF');
  return maySendFor(registry, holder, issuer, representative) ? undefined : 4112;
}

interface Sent {
  context: WireContext;
  now: number;
  issuer: string;
  holder: string;
  faults: readonly (Fault | undefined)[];
  fault: Fault | undefined;
}

function send(element: Element, records: readonly Element[], { context, now, issuer, holder, faults, fault }: Sent): Reply {
  const { book, registry } = context;
  const header = at(element, 'Cabecera');
  if (!header) throw new Error('the sending has no header');
  const number = (book.value<number>('sendings', '') ?? 0) + 1;
  book.setValue('sendings', '', number);
  const stamp = localTime(ZONE, now);
  const request = stamp.slice(0, 19).replace(/\D/g, '') + String(number % 1_000_000).padStart(6, '0');
  const csv = `A-${createHash('sha256')
    .update(`${issuer} ${request} ${iso(now)}`)
    .digest('hex')
    .slice(0, 14)
    .toUpperCase()}`;
  const isLate = textAt(header, 'RemisionVoluntaria/Incidencia') === 'S';
  const sending: Sending = { issuer, presenter: holder, isLate, now, request, csv, book, registry };
  noteSending(book, issuer, { records: records.length, now });
  const lines = records.map((record, n) => answered(record, n, records.length));
  const wait = fault?.name === 'wait' ? countOf(fault, 9_999) : WAIT_S;
  noteAnswer(book, issuer, { wait, now });
  return sendingReply({ header, lines, csv, presenter: holder, at: stamp, wait });

  function answered(record: Element, n: number, count: number): AnsweredLine {
    const read = recordOf(record);
    const script = faults[n];
    if (fault?.name === 'partial' && count > 1 && n === count - 1) {
      note(book, read);
      return { ...described(record), ...rejected(1100) };
    }
    if (script?.name === 'duplicate_foreign') new Invoices(book).setForeign(storedOf(read, holder));
    const line = judge(record, sending, scriptedLine(script, read.isAnnulment));
    if (script?.name !== 'duplicate' || line.state === 'Incorrecto') return { ...described(record), ...line };
    const known = new Invoices(book).find(read.id);
    return {
      ...described(record),
      ...rejected(3000, known ? { duplicate: { request: known.detail.request, state: known.detail.state, code: known.detail.error } } : {}),
    };
  }
}

function described(record: Element): Pick<AnsweredLine, 'id' | 'operation' | 'reference'> {
  const isAnnulment = record.name === 'RegistroAnulacion';
  const names = ['Subsanacion', 'RechazoPrevio', 'SinRegistroPrevio'];
  return {
    id: idOf(at(record, 'IDFactura'), isAnnulment ? 'Anulada' : ''),
    operation: [
      ['TipoOperacion', isAnnulment ? 'Anulacion' : 'Alta'],
      ...names.map((name): [string, string | undefined] => [name, textAt(record, name)]),
    ],
    reference: textAt(record, 'RefExterna'),
  };
}

const secondsOf = ({ argument }: Fault): number => (/^-?\d{1,7}$/.test(argument) ? Number(argument) : 0);
