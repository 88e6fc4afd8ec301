import { at, parseXml, textAt, type Element } from '../xml/element.ts';
import { schemaErrorOf } from '../xml/schema.ts';
import { dayOf } from './record.ts';
import { isNif } from './identities.ts';
import { consulta, MOST_RECORDS, sending, SF_LR, SF_LRC } from './schema.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
/** A sending of 1,000 records of a usual size has 3 MB. */
export const MOST_BYTES = 8 * 1_024 * 1_024;
const BOUNDS = { depth: 16, elements: 200_000, tag: 16_384 };

export const names = { sending: 'RegFactuSistemaFacturacion', query: 'ConsultaFactuSistemaFacturacion' };

/** The element in the body of an envelope, or the code of the fault. */
export function requestElement(body: Buffer): Element | number {
  if (body.length === 0) return 4138;
  const envelope = parseXml(body, BOUNDS);
  if (typeof envelope === 'string') return envelope.includes('UTF-8') ? 4119 : 4103;
  const [element, second] = at(envelope, 'Body')?.children ?? [];
  if (envelope.name !== 'Envelope' || envelope.namespace !== SOAP || !element || second) return 4118;
  const isKnown =
    (element.name === names.sending && element.namespace === SF_LR) || (element.name === names.query && element.namespace === SF_LRC);
  return isKnown ? element : 4118;
}

/** The code of a header's error by its path. */
const headerCodes: readonly (readonly [path: string, code: number])[] = [
  ['ObligadoEmision/NIF', 4116],
  ['Representante/NIF', 4117],
  ['FechaFinVeriFactu', 4120],
  ['Incidencia', 4121],
  ['RefRequerimiento', 4122],
  ['FinRequerimiento', 4131],
];

/** The code of the fault that a sending's structure or header has; undefined where it is right. Its records are not looked into. */
export function sendingErrorOf(element: Element, today: string): number | undefined {
  if (element.children.filter(({ name }) => name === 'RegistroFactura').length > MOST_RECORDS) return 4114;
  const error = schemaErrorOf(element, sending);
  if (error?.kind === 'structure') return 4102;
  if (error) return headerCodes.find(([path]) => error.path.endsWith(path))?.[1] ?? 4102;
  const header = at(element, 'Cabecera');
  if (at(header, 'RemisionRequerimiento')) return 4126;
  if (!isNif(textAt(header, 'ObligadoEmision/NIF') ?? '')) return 4116;
  if (at(header, 'Representante') && !isNif(textAt(header, 'Representante/NIF') ?? '')) return 4117;
  const end = textAt(header, 'RemisionVoluntaria/FechaFinVeriFactu');
  return end === undefined || isEnd(dayOf(end) ?? '', today) ? undefined : 4120;
}

/** The end of this year or the last. */
function isEnd(day: string, today: string): boolean {
  const year = Number(today.slice(0, 4));
  return day === `${year}-12-31` || day === `${year - 1}-12-31`;
}

export function queryErrorOf(element: Element): number | undefined {
  const error = schemaErrorOf(element, consulta);
  return error ? 4102 : undefined;
}
