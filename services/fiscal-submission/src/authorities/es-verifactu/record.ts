import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText, ONE, ZERO } from '@svc/kernel';
import type { ChainLink, Link } from '../../chain/domain/link.ts';
import { canonical, element, type Element } from '../../xml/element.ts';
import { localTime } from '../local-time.ts';
import { breakdownOf } from './breakdown.ts';
import { huellaOfAlta, type HashedAlta } from './huella.ts';
import { namedCustomer } from './parties.ts';
import { sourceOf } from './source.ts';

/** Whoever operates the deployment has produced the system, as far as the order is concerned (Orden HAC/1177/2024, article 15). */
export interface Producer {
  name: string;
  nif: string;
  system: string;
  /** Two of A–Z and 0–9. */
  id: string;
  version: string;
}

/** The record without its link. */
export interface EsDraft {
  of: Omit<HashedAlta, 'at'>;
  /** Of the issuer. */
  name: string;
  zone: string;
  /** Of the operation, yyyy-mm: where a query finds it. */
  month: string;
  issued_at: string;
  installation: string;
  /** Before `Encadenamiento`. */
  head: Element[];
  /** Of what it is made, so that a later release can make it right. */
  source: RegistrationRequested;
}

const ZONE = 'Europe/Madrid';
const [MOST_NAME, MOST_DESCRIPTION] = [120, 500];
/** Of a total of 100,000,000 or more the record says that it is meant (validations 1.2.2: 1139). */
const LARGE = /^-?\d{9}/;

const text = (name: string, value: string): Element => element(name, {}, [value]);
/** dd-mm-yyyy of yyyy-mm-dd. */
const dayText = (day: string): string => day.split('-').toReversed().join('-');

/** One an issuer, and never used by another chain. */
export const installationOf = ({ issuer: { installation, id = '1' } }: RegistrationRequested): string =>
  installation ?? id.replace(/\W|_/g, '');

/** Which alta it is (records.txt, table A): the first one, one after a refusal where none is registered, or one that replaces what is registered. */
export type Operation = 'first' | 'after refusal' | 'amendment' | 'amendment after refusal';
const marks: Record<Operation, [name: string, value: string][]> = {
  first: [],
  'after refusal': [
    ['sf:Subsanacion', 'S'],
    ['sf:RechazoPrevio', 'X'],
  ],
  amendment: [['sf:Subsanacion', 'S']],
  'amendment after refusal': [
    ['sf:Subsanacion', 'S'],
    ['sf:RechazoPrevio', 'S'],
  ],
};

/** The content of a RegistroAlta (record design 1.0). */
export const esDraft = (request: RegistrationRequested): EsDraft => draftOf(request, request.round > 1 ? 'after refusal' : 'first');

export function draftOf(request: RegistrationRequested, operation: Operation): EsDraft {
  const { document, issuer, number, issue_date, issued_at, customer, original } = request;
  const takesBack = 'type' in document && document.type === 'credit_note';
  const rate = document.currency === 'EUR' || !('exchange_rate' in document) ? ONE : decimal(numberText(document.exchange_rate ?? 1));
  const { rows, tax, total } = breakdownOf(document, takesBack ? ZERO.minus(rate) : rate, issuer.tax_regime);
  const type = typeOf(request);
  const of = { nif: issuer.tax_id ?? '', number, day: dayText(issue_date), type, tax, total };
  const isCorrection = type.startsWith('R');
  const supplied = 'supply_date' in document ? document.supply_date : null;
  const name = (issuer.legal_name ?? '').slice(0, MOST_NAME);
  const head = [
    text('sf:IDVersion', '1.0'),
    element('sf:IDFactura', {}, [
      text('sf:IDEmisorFactura', of.nif),
      text('sf:NumSerieFactura', of.number),
      text('sf:FechaExpedicionFactura', of.day),
    ]),
    text('sf:NombreRazonEmisor', name),
    ...marks[operation].map(([mark, value]) => text(mark, value)),
    text('sf:TipoFactura', type),
    ...(isCorrection ? [text('sf:TipoRectificativa', 'I')] : []),
    ...(isCorrection && original ? [correctedBy(of.nif, original)] : []),
    ...(supplied && supplied !== issue_date ? [text('sf:FechaOperacion', dayText(supplied))] : []),
    text('sf:DescripcionOperacion', descriptionOf(document).slice(0, MOST_DESCRIPTION)),
    ...(LARGE.test(total) ? [text('sf:Macrodato', 'S')] : []),
    ...(customer && type !== 'F2' && type !== 'R5' ? [element('sf:Destinatarios', {}, [namedCustomer(customer)])] : []),
    element('sf:Desglose', {}, rows),
    text('sf:CuotaTotal', tax),
    text('sf:ImporteTotal', total),
  ];
  const month = (supplied ?? issue_date).slice(0, 7);
  const zone = issuer.time_zone ?? ZONE;
  return { of, name, zone, month, issued_at, installation: installationOf(request), head, source: sourceOf(request) };
}

/** F1, or F2 where no customer is named; R1 to R4 of what names its customer, R5 of receipts. `correction_code` chooses among the first. */
function typeOf({ document }: RegistrationRequested): string {
  if (document.object === 'receipt') return 'corrects' in document && document.corrects ? 'R5' : 'F2';
  if (document.type === 'standard') return 'F1';
  return (document as { correction_code?: string | null }).correction_code ?? 'R1';
}

const descriptionOf = ({ items }: RegistrationRequested['document']): string =>
  items
    .map(({ description }) => (description ?? '').trim())
    .filter(Boolean)
    .join('; ') || 'Operación';

const correctedBy = (nif: string, { number, issue_date }: NonNullable<RegistrationRequested['original']>): Element =>
  element('sf:FacturasRectificadas', {}, [
    element('sf:IDFacturaRectificada', {}, [
      text('sf:IDEmisorFactura', nif),
      text('sf:NumSerieFactura', number),
      text('sf:FechaExpedicionFactura', dayText(issue_date)),
    ]),
  ]);

/** The huella behind the record before, and how the next one cites this. */
export function altaLink({ of, zone }: EsDraft, previous: ChainLink['previous'], at: string): Link {
  const { nif, number, day } = of;
  return { hash: huellaOfAlta({ ...of, at: localTime(zone, at) }, previous?.hash ?? ''), cited: { nif, number, day } };
}

/** The record with its link: what is sent, once and again. */
export function altaRecord({ zone, installation, head }: EsDraft, link: ChainLink, producer: Producer): string {
  return canonical(
    element('sf:RegistroAlta', {}, [
      ...head,
      chainedTo(link.previous),
      systemOf(producer, link.installation ?? installation),
      text('sf:FechaHoraHusoGenRegistro', localTime(zone, link.at)),
      text('sf:TipoHuella', '01'),
      text('sf:Huella', link.hash),
    ]),
  );
}

export function chainedTo(previous: ChainLink['previous']): Element {
  if (!previous) return element('sf:Encadenamiento', {}, [text('sf:PrimerRegistro', 'S')]);
  const { nif = '', number = '', day = '' } = previous.cited;
  return element('sf:Encadenamiento', {}, [
    element('sf:RegistroAnterior', {}, [
      text('sf:IDEmisorFactura', nif),
      text('sf:NumSerieFactura', number),
      text('sf:FechaExpedicionFactura', day),
      text('sf:Huella', previous.hash),
    ]),
  ]);
}

export const systemOf = ({ name, nif, system, id, version }: Producer, installation: string): Element =>
  element('sf:SistemaInformatico', {}, [
    ...[text('sf:NombreRazon', name), text('sf:NIF', nif), text('sf:NombreSistemaInformatico', system)],
    ...[text('sf:IdSistemaInformatico', id), text('sf:Version', version), text('sf:NumeroInstalacion', installation)],
    ...[text('sf:TipoUsoPosibleSoloVerifactu', 'S'), text('sf:TipoUsoPosibleMultiOT', 'S'), text('sf:IndicadorMultiplesOT', 'N')],
  ]);
