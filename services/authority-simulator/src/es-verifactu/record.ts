import { createHash } from 'node:crypto';
import { decimal, isDay, type Decimal } from '@svc/kernel';
import { all, at, textAt, type Element } from '../xml/element.ts';

/** What identifies an invoice. */
export interface InvoiceId {
  nif: string;
  number: string;
  /** `dd-mm-yyyy`, as it is written. */
  day: string;
}

/** A record of a sending, with what every rule asks. */
export interface SentRecord {
  element: Element;
  isAnnulment: boolean;
  id: InvoiceId;
  /** The chain that it is a link of. */
  chain: string;
  /** undefined: it says to be the first of its chain. */
  previous: (InvoiceId & { hash: string }) | undefined;
  generated: string;
  hash: string;
}

export interface Detail {
  /** `01` where the record has none. */
  tax: string;
  regime: string | undefined;
  qualification: string | undefined;
  exemption: string | undefined;
  rate: string | undefined;
  base: Decimal;
  atCost: Decimal | undefined;
  amount: Decimal | undefined;
  surchargeRate: string | undefined;
  surcharge: Decimal | undefined;
}

/** Reads a record that has the shape of the schema. */
export function recordOf(element: Element): SentRecord {
  const isAnnulment = element.name === 'RegistroAnulacion';
  const suffix = isAnnulment ? 'Anulada' : '';
  const id = idOf(at(element, 'IDFactura'), suffix);
  const previous = at(element, 'Encadenamiento/RegistroAnterior');
  const system = at(element, 'SistemaInformatico');
  return {
    element,
    isAnnulment,
    id,
    chain: chainOf(id.nif, system),
    previous: previous && { ...idOf(previous, ''), hash: textAt(previous, 'Huella') ?? '' },
    generated: textAt(element, 'FechaHoraHusoGenRegistro') ?? '',
    hash: textAt(element, 'Huella') ?? '',
  };
}

/** A chain is one issuer's in one installation of a producer's system. */
export const chainOf = (nif: string, system: Element | undefined): string =>
  [
    nif,
    textAt(system, 'NIF') ?? textAt(system, 'IDOtro/ID'),
    textAt(system, 'IdSistemaInformatico'),
    textAt(system, 'NumeroInstalacion'),
  ].join('|');

export const idOf = (element: Element | undefined, suffix: string): InvoiceId => ({
  nif: textAt(element, `IDEmisorFactura${suffix}`) ?? '',
  number: textAt(element, `NumSerieFactura${suffix}`) ?? '',
  day: textAt(element, `FechaExpedicionFactura${suffix}`) ?? '',
});

/** The hash that the record must have: SHA-256 over its literal texts, upper-case hex (hash specification 0.1.2). */
export function expectedHash({ element, isAnnulment, id, previous, generated }: SentRecord): string {
  const suffix = isAnnulment ? 'Anulada' : '';
  const amounts = isAnnulment ? [] : ['TipoFactura', 'CuotaTotal', 'ImporteTotal'].map((name) => [name, textAt(element, name) ?? '']);
  const fields = [
    [`IDEmisorFactura${suffix}`, id.nif],
    [`NumSerieFactura${suffix}`, id.number],
    [`FechaExpedicionFactura${suffix}`, id.day],
    ...amounts,
    ['Huella', previous?.hash ?? ''],
    ['FechaHoraHusoGenRegistro', generated],
  ];
  const text = fields.map(([name, value]) => `${name}=${value}`).join('&');
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}

/** `2026-03-01` of `01-03-2026`; undefined for a day that does not exist. */
export function dayOf(text: string): string | undefined {
  const day = text.split('-').reverse().join('-');
  return isDay(day) ? day : undefined;
}

/** An amount of the schema, which may have a plus sign or end with a point. */
export const amountOf = (text: string): Decimal => decimal(text.replace(/^\+/, '').replace(/\.$/, ''));
const optional = (text: string | undefined): Decimal | undefined => (text === undefined ? undefined : amountOf(text));

export const detailsOf = (element: Element): Detail[] =>
  all(at(element, 'Desglose'), 'DetalleDesglose').map((detail) => ({
    tax: textAt(detail, 'Impuesto') ?? '01',
    regime: textAt(detail, 'ClaveRegimen'),
    qualification: textAt(detail, 'CalificacionOperacion'),
    exemption: textAt(detail, 'OperacionExenta'),
    rate: textAt(detail, 'TipoImpositivo'),
    base: amountOf(textAt(detail, 'BaseImponibleOimporteNoSujeto') ?? '0'),
    atCost: optional(textAt(detail, 'BaseImponibleACoste')),
    amount: optional(textAt(detail, 'CuotaRepercutida')),
    surchargeRate: textAt(detail, 'TipoRecargoEquivalencia'),
    surcharge: optional(textAt(detail, 'CuotaRecargoEquivalencia')),
  }));
