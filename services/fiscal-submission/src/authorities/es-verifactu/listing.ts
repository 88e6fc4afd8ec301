import { setImmediate } from 'node:timers/promises';
import { canonical, element, soapEnvelope, type Element } from '../../xml/element.ts';
import type { HttpResponse } from '../../sending/http.ts';
import type { ListingPage, ListingAsked } from '../../submission/authority.ts';
import { childOf, childrenOf, faultIn, parseXml, soapBody, textOf } from '../../xml/parse.ts';
import { referenceOf } from './reference.ts';
import { FOUND, LRC, SF } from './sending.ts';

const text = (name: string, value: string): Element => element(name, {}, [value]);

/** Asks for a page of what is registered of an issuer in a month (service document 1.0.3, 6.4). `after`: as the page before says, '' for the first. */
export function listingOf({ reference, month, after }: ListingAsked): string {
  const { name, nif } = referenceOf(reference);
  const [year = '', period = ''] = month.split('-');
  const [owner = '', number = '', day = ''] = after === '' ? [] : (JSON.parse(after) as string[]);
  const header = element('sfLRC:Cabecera', {}, [
    text('sf:IDVersion', '1.0'),
    element('sf:ObligadoEmision', {}, [text('sf:NombreRazon', name), text('sf:NIF', nif)]),
  ]);
  const filter = element('sfLRC:FiltroConsulta', {}, [
    element('sfLRC:PeriodoImputacion', {}, [text('sf:Ejercicio', year), text('sf:Periodo', period)]),
    after !== '' &&
      element('sfLRC:ClavePaginacion', {}, [
        ...[text('sf:IDEmisorFactura', owner), text('sf:NumSerieFactura', number)],
        text('sf:FechaExpedicionFactura', day),
      ]),
  ]);
  return soapEnvelope(
    canonical(element('sfLRC:ConsultaFactuSistemaFacturacion', { 'xmlns:sf': SF, 'xmlns:sfLRC': LRC }, [header, filter])),
  );
}

/** Of a page, which has up to 10,000 records (service document 1.0.3, 6.4): each of them mostly some 2 kB. */
export const LISTING_BOUNDS = { deadlineMs: 120_000, mostBytes: 64 * 1024 * 1024 };

const RECORD = 'RegistroRespuestaConsultaFactuSistemaFacturacion';
/** Records that are parsed at once: a tree takes many times the memory of its text, and others wait for it. */
const AT_ONCE = 200;

/** What a page has. Throws where it is no such page: a person asked, and asks again. */
export async function readListing({ status, body }: HttpResponse): Promise<ListingPage> {
  let page: ListingPage = { records: [], next: null };
  for (const part of partsOf(body.toString())) {
    const { records, next } = readPart(part, status);
    page = { records: [...page.records, ...records], next };
    await setImmediate();
  }
  return page;
}

/** The message as several that differ by their records alone. */
function partsOf(text: string): string[] {
  const [, name] = new RegExp(`<((?:[\\w.-]+:)?${RECORD})[\\s>]`).exec(text) ?? [];
  if (name === undefined) return [text];
  const start = text.indexOf(`<${name}`);
  const pieces = text.slice(start).split(`</${name}>`);
  const [head, tail] = [text.slice(0, start), pieces.pop() ?? ''];
  return Array.from({ length: Math.ceil(pieces.length / AT_ONCE) }, (_, n) =>
    [head, ...pieces.slice(n * AT_ONCE, (n + 1) * AT_ONCE).map((piece) => `${piece}</${name}>`), tail].join(''),
  );
}

function readPart(text: string, status: number): ListingPage {
  const root = soapBody(parseXml(text));
  const fault = faultIn(root);
  if (fault) throw new Error(`The authority refused the query: ${textOf(childOf(fault, null, 'faultstring'))}`);
  if (root?.localName !== 'RespuestaConsultaFactuSistemaFacturacion' || root.namespaceURI !== FOUND)
    throw new Error(`The answer (${status}) is not one to a query.`);
  const records = childrenOf(root)
    .filter(({ localName }) => localName === RECORD)
    .map((one) => {
      const id = childOf(one, FOUND, 'IDFactura');
      const of = (name: string): string => textOf(childOf(id, SF, name));
      const hash = textOf(childOf(childOf(one, FOUND, 'DatosRegistroFacturacion'), FOUND, 'Huella'));
      return { number: of('NumSerieFactura'), day: of('FechaExpedicionFactura'), hash };
    });
  const next = childOf(root, FOUND, 'ClavePaginacion');
  const isMore = textOf(childOf(root, FOUND, 'IndicadorPaginacion')) === 'S' && next;
  const keyOf = (name: string): string => textOf(childOf(next, SF, name));
  return { records, next: isMore ? JSON.stringify(['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'].map(keyOf)) : null };
}
