import { decimal } from '@svc/kernel';
import { all, at, textAt, type Element } from '../xml/element.ts';
import { amountOf, dayOf, detailsOf, idOf, type Detail } from './record.ts';

/** An alta as its rules see it. */
export interface Alta {
  element: Element;
  nif: string;
  number: string;
  /** `yyyy-mm-dd` */
  issued: string;
  operated: string | undefined;
  /** When it counts for rates: the day of operation, else of issue. */
  effective: string;
  type: string;
  details: Detail[];
  recipients: readonly Element[];
  /** Today, by the authority's clock. */
  today: string;
}

/** A rule of the published validations (1.2.2): the code of the refusal, and whether an alta breaks it. */
export type Rule = readonly [code: number, isBroken: (alta: Alta) => boolean];

export function altaOf(element: Element, today: string): Alta {
  const id = idOf(at(element, 'IDFactura'), '');
  const operation = textAt(element, 'FechaOperacion');
  const [issued, operated] = [dayOf(id.day) ?? '', operation === undefined ? undefined : dayOf(operation)];
  return {
    element,
    ...{ nif: id.nif, number: id.number, issued, operated, effective: operated ?? issued, today },
    type: textAt(element, 'TipoFactura') ?? '',
    details: detailsOf(element),
    recipients: all(at(element, 'Destinatarios'), 'IDDestinatario'),
  };
}

const has = ({ element }: Alta, path: string): boolean => at(element, path) !== undefined;
const is = ({ element }: Alta, path: string, value: string): boolean => textAt(element, path) === value;
const isCorrective = ({ type }: Alta): boolean => type.startsWith('R');
const among = ({ type }: Alta, ...types: string[]): boolean => types.includes(type);
const needsRecipient = (alta: Alta): boolean => among(alta, 'F1', 'F3', 'R1', 'R2', 'R3', 'R4');
const LARGE = '100000000';
const isLarge = ({ element }: Alta): boolean => {
  const total = amountOf(textAt(element, 'ImporteTotal') ?? '0');
  return total.cmp(LARGE) >= 0 || decimal('0').minus(total).cmp(LARGE) >= 0;
};
const onlyOf = ({ details }: Alta, regimes: string[]): boolean =>
  details.every(({ tax, regime }) => !['01', '03'].includes(tax) || regimes.includes(regime ?? ''));
const yearsBefore = (day: string, years: number): string => `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;
const DAY = /^\d{2}-\d{2}-\d{4}$/;

/** The rules of an alta's own fields, in the order of the validations. */
export const altaRules: readonly Rule[] = [
  [1145, ({ element, issued }) => issued === '' || !DAY.test(textAt(element, 'IDFactura/FechaExpedicionFactura') ?? '')],
  [1145, (alta) => has(alta, 'FechaOperacion') && alta.operated === undefined],
  [1287, ({ number }) => /[<>"'=]/.test(number)],
  [1130, ({ number }) => !/^[ -~]*$/.test(number)],
  [1112, ({ issued, today }) => issued > today],
  [1152, ({ issued }) => issued < '2024-10-28'],
  [1146, (alta) => alta.operated !== undefined && alta.issued < alta.operated && !onlyOf(alta, ['14', '15'])],
  [1153, (alta) => is(alta, 'RechazoPrevio', 'X') && !is(alta, 'Subsanacion', 'S')],
  [1161, (alta) => is(alta, 'RechazoPrevio', 'S') && !is(alta, 'Subsanacion', 'S')],
  [1114, (alta) => isCorrective(alta) && !has(alta, 'TipoRectificativa')],
  [1115, (alta) => !isCorrective(alta) && has(alta, 'TipoRectificativa')],
  [1117, (alta) => !isCorrective(alta) && has(alta, 'FacturasRectificadas')],
  [1116, (alta) => alta.type !== 'F3' && has(alta, 'FacturasSustituidas')],
  [1118, (alta) => is(alta, 'TipoRectificativa', 'S') && !has(alta, 'ImporteRectificacion')],
  [1119, (alta) => !is(alta, 'TipoRectificativa', 'S') && has(alta, 'ImporteRectificacion')],
  [1134, ({ operated, today }) => operated !== undefined && operated < yearsBefore(today, 20)],
  [1125, ({ operated, today }) => operated !== undefined && operated.slice(0, 4) > String(Number(today.slice(0, 4)) + 1)],
  [1173, (alta) => alta.operated !== undefined && alta.operated > alta.today && !onlyOf(alta, ['14', '15'])],
  [1183, (alta) => is(alta, 'FacturaSimplificadaArt7273', 'S') && !needsRecipient(alta)],
  [1185, (alta) => is(alta, 'FacturaSinIdentifDestinatarioArt61d', 'S') && !among(alta, 'F2', 'R5')],
  [1139, (alta) => isLarge(alta) && !is(alta, 'Macrodato', 'S')],
  [1138, (alta) => !isLarge(alta) && is(alta, 'Macrodato', 'S')],
  [1186, (alta) => is(alta, 'EmitidaPorTerceroODestinatario', 'T') && !has(alta, 'Tercero')],
  [1158, (alta) => is(alta, 'EmitidaPorTerceroODestinatario', 'D') && !has(alta, 'Destinatarios')],
  [1159, (alta) => is(alta, 'EmitidaPorTerceroODestinatario', 'D') && has(alta, 'Tercero')],
  [1155, (alta) => has(alta, 'Tercero') && !has(alta, 'EmitidaPorTerceroODestinatario')],
  [1188, (alta) => is(alta, 'Tercero/NIF', alta.nif)],
  [1211, (alta) => is(alta, 'Tercero/IDOtro/IDType', '07')],
  [1189, (alta) => needsRecipient(alta) && alta.recipients.length === 0],
  [1190, (alta) => among(alta, 'F2', 'R5') && alta.recipients.length > 0],
  [1191, (alta) => alta.type === 'R3' && alta.recipients.some((one) => !textAt(one, 'NIF') && textAt(one, 'IDOtro/IDType') !== '07')],
  [
    1192,
    (alta) =>
      alta.type === 'R2' &&
      alta.recipients.some((one) => !textAt(one, 'NIF') && !['07', '02'].includes(textAt(one, 'IDOtro/IDType') ?? '')),
  ],
  [1157, (alta) => is(alta, 'Cupon', 'S') && !among(alta, 'R1', 'R5')],
  [1128, (alta) => has(alta, 'NumRegistroAcuerdoFacturacion')],
];
