import { millisOf } from '@svc/kernel';
import { at, textAt, type Element } from '../xml/element.ts';
import { localTime } from '../wires/local-time.ts';
import type { Reply } from '../wires/wire.ts';
import { queryReply, type Found } from './answers.ts';
import { Invoices, type Invoice, type StoredRecord } from './invoices.ts';
import { ZONE } from './judge.ts';
import { chainOf, dayOf, idOf } from './record.ts';
import type { Book } from '../wires/book.ts';

/** Records of one answer (service document 1.0.3, 6.4). */
const PAGE = 10_000;
const CHUNK = 500;
const states = { Correcta: 'Correcto', AceptadaConErrores: 'AceptadoConErrores', Anulada: 'Anulado' } as const;

/** Answers a query. Records that are younger than `blindMs` are not seen. A query by recipient finds nothing. */
export function answerQuery(element: Element, { book, now, blindMs }: { book: Book; now: number; blindMs: number }): Reply {
  const [header, filter] = [at(element, 'Cabecera'), at(element, 'FiltroConsulta')];
  const period = at(filter, 'PeriodoImputacion');
  if (!header || !filter || !period) throw new Error('the query has no header or period');
  const nif = textAt(header, 'ObligadoEmision/NIF') ?? '';
  const month = `${textAt(period, 'Ejercicio')}-${textAt(period, 'Periodo')}`;
  const invoices = new Invoices(book);
  const isSeen = (invoice: Invoice): boolean => millisOf(invoice.at) <= now - blindMs && fits(invoice, invoices, nif, filter);
  const number = textAt(filter, 'NumSerieFactura');
  const seen =
    number === undefined
      ? pageOf(invoices, nif, month, at(filter, 'ClavePaginacion'), isSeen)
      : invoices.withNumber(nif, number).filter((invoice) => invoice.key.startsWith(month) && isSeen(invoice));
  const found = seen.slice(0, PAGE).flatMap((invoice) => foundOf(invoice, invoices.record(invoice.key, nif), element));
  const foreign = number !== undefined && found.length === 0 ? invoices.foreign(nif, number) : undefined;
  if (foreign && dayOf(foreign.id.day)?.startsWith(month)) found.push(foreignOf(foreign, now));
  const last = seen.length > PAGE ? found.at(-1)?.id : undefined;
  return queryReply({ header, period }, found, last);
}

/** One invoice more than a page, in order of presentation after the given one. */
function pageOf(
  invoices: Invoices,
  nif: string,
  month: string,
  after: Element | undefined,
  isSeen: (invoice: Invoice) => boolean,
): Invoice[] {
  const seen: Invoice[] = [];
  let key = after && invoices.find(idOf(after, ''))?.key;
  for (;;) {
    const chunk = invoices.ofPeriod(nif, month, key, CHUNK);
    seen.push(...chunk.filter(isSeen));
    key = chunk.at(-1)?.key;
    if (chunk.length < CHUNK || seen.length > PAGE) return seen;
  }
}

function fits(invoice: Invoice, invoices: Invoices, nif: string, filter: Element): boolean {
  const day = dayOf(invoice.detail.day) ?? '';
  const asked = (path: string): string | undefined => textAt(filter, path);
  const exact = asked('FechaExpedicionFactura/FechaExpedicionFactura');
  const [from, to] = ['Desde', 'Hasta'].map((name) => dayOf(asked(`FechaExpedicionFactura/RangoFechaExpedicion/${name}`) ?? ''));
  if ((exact !== undefined && exact !== invoice.detail.day) || (from && day < from) || (to && day > to)) return false;
  const [reference, party] = [asked('RefExterna'), asked('Contraparte/NIF') ?? asked('Contraparte/IDOtro/ID')];
  const system = at(filter, 'SistemaInformatico');
  if (reference === undefined && party === undefined && !system) return true;
  const record = invoices.record(invoice.key, nif);
  return (
    (!system || record?.chain === chainOf(nif, system)) &&
    (reference === undefined || record?.reference === reference) &&
    (party === undefined || record?.recipients.includes(party) === true)
  );
}

function foundOf({ at: presented, detail }: Invoice, record: StoredRecord | undefined, query: Element): Found[] {
  if (!record) return [];
  const isAsked = (name: string): boolean => textAt(query, `DatosAdicionalesRespuesta/${name}`) === 'S';
  const { name, data, system, proof, presenter, id } = record;
  const shown = [isAsked('MostrarNombreRazonEmisor') ? name : '', data, isAsked('MostrarSistemaInformatico') ? system : '', proof].join('');
  const { state, error, request } = detail;
  return [{ id, data: shown, presenter, presented: localTime(ZONE, millisOf(presented)), request, state: states[state], code: error }];
}

/** Another record under the number: it differs from the sent one by its hash alone. */
function foreignOf({ id, data, proof, presenter }: StoredRecord, now: number): Found {
  const others = proof.replace(/(<sfLRRC:Huella>)[^<]*/, `$1${'F0'.repeat(32)}`);
  return { id, data: data + others, presenter, presented: localTime(ZONE, now), request: FOREIGN_REQUEST, state: 'Correcto', code: null };
}

/** The number of the sending that is said to have registered another record under a number. */
export const FOREIGN_REQUEST = '20260101000000000000';
