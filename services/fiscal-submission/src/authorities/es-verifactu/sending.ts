import { canonical, element, soapEnvelope, type Element } from '../../xml/element.ts';

const BASE = 'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';
const LR = `${BASE}/SuministroLR.xsd`;
export const LRC = `${BASE}/ConsultaLR.xsd`;
export const SF = `${BASE}/SuministroInformacion.xsd`;
export const RESPONSE = `${BASE}/RespuestaSuministro.xsd`;
export const FOUND = `${BASE}/RespuestaConsultaLR.xsd`;

export interface Sender {
  name: string;
  nif: string;
}

const text = (name: string, value: string): Element => element(name, {}, [value]);

/**
 * A sending of consecutive records of one issuer (service document 1.0.3), all fresh or all late: a late one among fresh ones would be noted of all.
 * @param records canonical RegistroAlta or RegistroAnulacion
 */
export function sendingOf({ name, nif }: Sender, records: readonly string[], isLate: boolean): string {
  const header = element('sfLR:Cabecera', {}, [
    element('sf:ObligadoEmision', {}, [text('sf:NombreRazon', name), text('sf:NIF', nif)]),
    isLate && element('sf:RemisionVoluntaria', {}, [text('sf:Incidencia', 'S')]),
  ]);
  const registered = records.map((record) => `<sfLR:RegistroFactura>${record}</sfLR:RegistroFactura>`).join('');
  const body = `<sfLR:RegFactuSistemaFacturacion xmlns:sf="${SF}" xmlns:sfLR="${LR}">${canonical(header)}${registered}</sfLR:RegFactuSistemaFacturacion>`;
  return soapEnvelope(body);
}

/** Whether a message says that its records are late. */
export const saysLate = (body: string | undefined): boolean => body?.includes('<sf:Incidencia>S</sf:Incidencia>') ?? false;

/** Asks what is registered under a number on a day of an issuer (service document 1.0.3, 6.4). */
export function queryOf({ name, nif, number, day, month }: Sender & { number: string; day: string; month: string }): string {
  const [year = '', period = ''] = month.split('-');
  const header = element('sfLRC:Cabecera', {}, [
    text('sf:IDVersion', '1.0'),
    element('sf:ObligadoEmision', {}, [text('sf:NombreRazon', name), text('sf:NIF', nif)]),
  ]);
  const filter = element('sfLRC:FiltroConsulta', {}, [
    element('sfLRC:PeriodoImputacion', {}, [text('sf:Ejercicio', year), text('sf:Periodo', period)]),
    text('sfLRC:NumSerieFactura', number),
    element('sfLRC:FechaExpedicionFactura', {}, [text('sf:FechaExpedicionFactura', day)]),
  ]);
  return soapEnvelope(
    canonical(element('sfLRC:ConsultaFactuSistemaFacturacion', { 'xmlns:sf': SF, 'xmlns:sfLRC': LRC }, [header, filter])),
  );
}
