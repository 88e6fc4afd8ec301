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

/** What a page has. Throws where it is no such page: a person asked, and asks again. */
export function readListing({ status, body }: HttpResponse): ListingPage {
  const root = soapBody(parseXml(body.toString()));
  const fault = faultIn(root);
  if (fault) throw new Error(`The authority refused the query: ${textOf(childOf(fault, null, 'faultstring'))}`);
  if (root?.localName !== 'RespuestaConsultaFactuSistemaFacturacion' || root.namespaceURI !== FOUND)
    throw new Error(`The answer (${status}) is not one to a query.`);
  const found = childrenOf(root).filter(({ localName }) => localName === 'RegistroRespuestaConsultaFactuSistemaFacturacion');
  const records = found.map((one) => {
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
