import { canonical, element, soapEnvelope, type Element } from '../../xml/element.ts';

const BASE = 'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';
const LR = `${BASE}/SuministroLR.xsd`;
export const SF = `${BASE}/SuministroInformacion.xsd`;
export const RESPONSE = `${BASE}/RespuestaSuministro.xsd`;

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
