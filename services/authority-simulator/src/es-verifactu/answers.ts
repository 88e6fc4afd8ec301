import type { Element } from '../xml/element.ts';
import { copied, escaped, tag } from '../xml/text.ts';
import { xmlReply, type Reply } from '../wires/wire.ts';
import { textOf } from './errors.ts';
import type { Line } from './line.ts';
import type { InvoiceId } from './record.ts';
import { SF, SF_LRRC, SF_R } from './schema.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<env:Envelope xmlns:env="${SOAP}"><env:Body>${body}</env:Body></env:Envelope>`;

/** A fault for the whole message. SOAP 1.1 sends it with the status 500. */
export const clientFault = (code: number): Reply => faultReply('Client', `Codigo[${code}].${textOf(code)}`);
export const serverFault = (): Reply => faultReply('Server', 'Error interno en el servidor.');
const faultReply = (of: 'Client' | 'Server', text: string): Reply =>
  xmlReply(500, envelope(`<env:Fault><faultcode>env:${of}</faultcode><faultstring>${escaped(text)}</faultstring></env:Fault>`));

export interface AnsweredLine extends Line {
  id: InvoiceId;
  /** TipoOperacion, Subsanacion, RechazoPrevio, SinRegistroPrevio: as they were sent. */
  operation: [name: string, value: string | undefined][];
  reference: string | undefined;
}

export interface Answered {
  /** Cabecera of the request. */
  header: Element;
  lines: AnsweredLine[];
  csv: string;
  presenter: string;
  /** Local time. */
  at: string;
  /** TiempoEsperaEnvio, in seconds. */
  wait: number;
}

/** The answer to a sending. CSV and DatosPresentacion are there where something was accepted. */
export function sendingReply({ header, lines, csv, presenter, at, wait }: Answered): Reply {
  const isAny = lines.some(({ state }) => state !== 'Incorrecto');
  const presented = `<sfR:DatosPresentacion>${tag('sf:NIFPresentador', presenter)}${tag('sf:TimestampPresentacion', at)}</sfR:DatosPresentacion>`;
  const state = lines.every((line) => line.state === 'Correcto') ? 'Correcto' : isAny ? 'ParcialmenteCorrecto' : 'Incorrecto';
  const body = [
    isAny ? tag('sfR:CSV', csv) + presented : '',
    copied(header, (_name, depth) => (depth === 0 ? 'sfR' : 'sf')),
    tag('sfR:TiempoEsperaEnvio', String(wait)),
    tag('sfR:EstadoEnvio', state),
    ...lines.map(lineOf),
  ].join('');
  const name = 'sfR:RespuestaRegFactuSistemaFacturacion';
  return xmlReply(200, envelope(`<${name} xmlns:sfR="${SF_R}" xmlns:sf="${SF}">${body}</${name}>`));
}

function lineOf({ id, operation, reference, state, code, field, duplicate }: AnsweredLine): string {
  const said = operation.map(([name, value]) => tag(`sf:${name}`, value)).join('');
  const error =
    code === undefined ? '' : tag('sfR:CodigoErrorRegistro', String(code)) + tag('sfR:DescripcionErrorRegistro', textOf(code, field));
  const before = duplicate && [
    tag('sf:IdPeticionRegistroDuplicado', duplicate.request),
    tag('sf:EstadoRegistroDuplicado', duplicate.state),
    ...(duplicate.code === null
      ? []
      : [tag('sf:CodigoErrorRegistro', String(duplicate.code)), tag('sf:DescripcionErrorRegistro', textOf(duplicate.code))]),
  ];
  return `<sfR:RespuestaLinea><sfR:IDFactura>${idParts(id)}</sfR:IDFactura><sfR:Operacion>${said}</sfR:Operacion>${tag('sfR:RefExterna', reference)}${tag('sfR:EstadoRegistro', state)}${error}${before ? `<sfR:RegistroDuplicado>${before.join('')}</sfR:RegistroDuplicado>` : ''}</sfR:RespuestaLinea>`;
}

const idParts = ({ nif, number, day }: InvoiceId): string =>
  tag('sf:IDEmisorFactura', nif) + tag('sf:NumSerieFactura', number) + tag('sf:FechaExpedicionFactura', day);

export interface Found {
  id: InvoiceId;
  data: string;
  presenter: string;
  /** Local times. */
  presented: string;
  request: string;
  state: 'Correcto' | 'AceptadoConErrores' | 'Anulado';
  code: number | null;
}

/** The answer to a query. `next`: the last of this page where there are more. */
export function queryReply(asked: { header: Element; period: Element }, found: readonly Found[], next: InvoiceId | undefined): Reply {
  const copy = (element: Element): string => copied(element, (_name, depth) => (depth === 0 ? 'sfLRRC' : 'sf'));
  const period = `<sfLRRC:PeriodoImputacion>${asked.period.children.map(({ name, text }) => tag(`sfLRRC:${name}`, text)).join('')}</sfLRRC:PeriodoImputacion>`;
  const body = [
    copy(asked.header),
    period,
    tag('sfLRRC:IndicadorPaginacion', next ? 'S' : 'N'),
    tag('sfLRRC:ResultadoConsulta', found.length > 0 ? 'ConDatos' : 'SinDatos'),
    ...found.map(foundOf),
    next ? `<sfLRRC:ClavePaginacion>${idParts(next)}</sfLRRC:ClavePaginacion>` : '',
  ].join('');
  const name = 'sfLRRC:RespuestaConsultaFactuSistemaFacturacion';
  return xmlReply(200, envelope(`<${name} xmlns:sfLRRC="${SF_LRRC}" xmlns:sf="${SF}">${body}</${name}>`));
}

function foundOf({ id, data, presenter, presented, request, state, code }: Found): string {
  const name = 'sfLRRC:RegistroRespuestaConsultaFactuSistemaFacturacion';
  const presentation = tag('sf:NIFPresentador', presenter) + tag('sf:TimestampPresentacion', presented) + tag('sf:IdPeticion', request);
  const error = code === null ? '' : tag('sfLRRC:CodigoErrorRegistro', String(code)) + tag('sfLRRC:DescripcionErrorRegistro', textOf(code));
  const status = tag('sfLRRC:TimestampUltimaModificacion', presented) + tag('sfLRRC:EstadoRegistro', state) + error;
  return `<${name}><sfLRRC:IDFactura>${idParts(id)}</sfLRRC:IDFactura><sfLRRC:DatosRegistroFacturacion>${data}</sfLRRC:DatosRegistroFacturacion><sfLRRC:DatosPresentacion>${presentation}</sfLRRC:DatosPresentacion><sfLRRC:EstadoRegistro>${status}</sfLRRC:EstadoRegistro></${name}>`;
}
