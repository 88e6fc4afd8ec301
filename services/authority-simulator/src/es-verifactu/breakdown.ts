import { decimal, type Decimal } from '@svc/kernel';
import { textAt } from '../xml/element.ts';
import type { Alta, Rule } from './alta.ts';
import type { Detail } from './record.ts';

const MARGIN = '10';
const isIn = (value: string | undefined, ...values: string[]): boolean => values.includes(value ?? '');
const isRate = (rate: string | undefined, ...rates: string[]): boolean =>
  rate !== undefined && rates.some((one) => decimal(plain(rate)).eq(one));
const plain = (rate: string): string => rate.replace(/\.$/, '');
const isZero = (value: Decimal | undefined): boolean => value === undefined || value.eq('0');
const isVat = ({ tax }: Detail): boolean => tax === '01';
const isVatOrIgic = ({ tax }: Detail): boolean => isIn(tax, '01', '03');
const isWithin = (day: string, from: string, to: string): boolean => day >= from && day <= to;
/** Zero has both signs. */
const differInSign = (one: Decimal, other: Decimal): boolean => one.times(other).cmp('0') < 0;
const isFar = (one: Decimal, other: Decimal): boolean => {
  const difference = one.minus(other);
  return difference.cmp(MARGIN) > 0 || decimal('0').minus(difference).cmp(MARGIN) > 0;
};
const taxOf = (base: Decimal, rate: string): Decimal => base.times(plain(rate)).times('0.01');

/** Which surcharges a rate of VAT may have. */
function isSurchargeOf({ rate, surchargeRate }: Detail, day: string): boolean {
  if (isRate(rate, '21')) return isRate(surchargeRate, '5.2', '1.75');
  if (isRate(rate, '10')) return isRate(surchargeRate, '1.4');
  if (isRate(rate, '7.5')) return isRate(surchargeRate, '1');
  if (isRate(rate, '5')) return isRate(surchargeRate, day <= '2022-12-31' ? '0.5' : '0.62');
  if (isRate(rate, '4')) return isRate(surchargeRate, '0.5');
  if (isRate(rate, '2')) return isRate(surchargeRate, '0.26');
  return isRate(surchargeRate, '0', '0.26');
}
const surchargeCode = ({ rate }: Detail): number =>
  isRate(rate, '21') ? 1162 : isRate(rate, '10') ? 1163 : isRate(rate, '4') ? 1164 : 1160;

type DetailRule = readonly [code: number, isBroken: (detail: Detail, alta: Alta) => boolean];

/** The rules of one DetalleDesglose, in the order of the validations (15). */
const detailRules: readonly DetailRule[] = [
  [1124, (d) => isVat(d) && d.qualification === 'S1' && d.rate !== undefined && !isRate(d.rate, '0', '2', '4', '5', '7.5', '10', '21')],
  [
    1194,
    (d, { effective }) => isVat(d) && d.qualification === 'S1' && isRate(d.rate, '5') && !isWithin(effective, '2022-07-01', '2024-09-30'),
  ],
  [
    1235,
    (d, { effective }) => isVat(d) && d.qualification === 'S1' && isRate(d.rate, '2') && !isWithin(effective, '2024-10-01', '2024-12-31'),
  ],
  [
    1236,
    (d, { effective }) => isVat(d) && d.qualification === 'S1' && isRate(d.rate, '7.5') && !isWithin(effective, '2024-10-01', '2024-12-31'),
  ],
  [1257, (d) => d.atCost !== undefined && d.regime !== '06' && !isIn(d.tax, '02', '05')],
  [
    1127,
    (d) => isVat(d) && d.surchargeRate !== undefined && !isRate(d.surchargeRate, '0', '0.26', '0.5', '0.62', '1', '1.4', '1.75', '5.2'),
  ],
  [
    1281,
    (d) =>
      (d.surchargeRate !== undefined || d.surcharge !== undefined) &&
      d.qualification !== 'S1' &&
      d.exemption === undefined &&
      !isIn(d.qualification, 'N1', 'N2'),
  ],
  [1284, (d) => (d.surchargeRate === undefined) !== (d.surcharge === undefined)],
  [1197, (d, { type }) => d.qualification === 'S2' && !isIn(type, 'F1', 'F3', 'R1', 'R2', 'R3', 'R4')],
  [1198, (d) => d.qualification === 'S2' && !(isRate(d.rate, '0') && d.amount !== undefined && d.amount.eq('0'))],
  [
    1237,
    (d) =>
      isVat(d) &&
      isIn(d.qualification, 'N1', 'N2') &&
      [d.rate, d.amount, d.surchargeRate, d.surcharge].some((value) => value !== undefined),
  ],
  [1238, (d) => d.exemption !== undefined && [d.rate, d.amount, d.surchargeRate, d.surcharge].some((value) => value !== undefined)],
  [1182, (d) => isVat(d) && isIn(d.exemption, 'E7', 'E8')],
  [1199, (d) => isVatOrIgic(d) && d.regime === '01' && isIn(d.exemption, 'E2', 'E3')],
  [1289, (d, { recipients }) => isVat(d) && d.exemption === 'E5' && recipients.some((one) => textAt(one, 'NIF') !== undefined)],
  [1260, (d) => d.regime !== undefined && !isIn(d.tax, '01', '02', '03')],
  [1245, (d) => isVatOrIgic(d) && d.regime === undefined],
  [1246, (d) => isVat(d) && isIn(d.regime, '21')],
  [1286, (d) => isVatOrIgic(d) && d.regime === '02' && d.exemption === undefined],
  [1200, (d) => isVatOrIgic(d) && d.regime === '03' && d.qualification !== undefined && d.qualification !== 'S1'],
  [1201, (d) => isVatOrIgic(d) && d.regime === '04' && d.qualification !== undefined && d.qualification !== 'S2'],
  [1202, (d, { type }) => isVatOrIgic(d) && d.regime === '06' && (isIn(type, 'F2', 'F3', 'R5') || d.atCost === undefined)],
  [
    1203,
    (d) => isVatOrIgic(d) && d.regime === '07' && (isIn(d.qualification, 'S2', 'N1', 'N2') || isIn(d.exemption, 'E2', 'E3', 'E4', 'E5')),
  ],
  [1252, (d) => isVatOrIgic(d) && d.regime === '08' && d.qualification !== 'N2'],
  [
    1205,
    (d, { type, recipients }) =>
      isVatOrIgic(d) && d.regime === '10' && !(d.qualification === 'N1' && type === 'F1' && recipients.every((one) => textAt(one, 'NIF'))),
  ],
  [1206, (d) => isVat(d) && d.regime === '11' && !isRate(d.rate, '21')],
  [1147, (d, { operated, issued }) => isVatOrIgic(d) && d.regime === '14' && !(operated !== undefined && operated > issued)],
  [
    1149,
    (d, { recipients }) => isVatOrIgic(d) && d.regime === '14' && !recipients.every((one) => /^[PQSV]/.test(textAt(one, 'NIF') ?? '')),
  ],
  [1148, (d, { type }) => isVatOrIgic(d) && d.regime === '14' && !isIn(type, 'F1', 'R1', 'R2', 'R3', 'R4')],
  [1293, (d) => d.tax === '03' && d.regime === '20' && d.qualification !== 'N2'],
  [1207, (d) => !isZero(d.amount) && d.qualification !== 'S1'],
  [1208, (d) => d.qualification === 'S1' && d.atCost === undefined && (d.rate === undefined || d.amount === undefined)],
  [1209, (d) => d.qualification === 'S1' && d.atCost !== undefined && (d.rate === undefined || d.amount === undefined)],
  [1143, (d, alta) => isTaxed(d, alta) && d.atCost === undefined && d.amount !== undefined && differInSign(d.amount, d.base)],
  [
    1142,
    (d, alta) => isTaxed(d, alta) && d.atCost === undefined && d.amount !== undefined && isFar(d.amount, taxOf(d.base, d.rate ?? '0')),
  ],
  [1140, (d, alta) => isTaxed(d, alta) && d.atCost !== undefined && d.amount !== undefined && differInSign(d.amount, d.atCost)],
  [
    1144,
    (d, alta) => isTaxed(d, alta) && d.atCost !== undefined && d.amount !== undefined && isFar(d.amount, taxOf(d.atCost, d.rate ?? '0')),
  ],
];
/** Whether the tax must be that of the base: not in corrections by differences. */
const isTaxed = ({ qualification }: Detail, { element, type }: Alta): boolean =>
  qualification === 'S1' && textAt(element, 'TipoRectificativa') !== 'I' && !isIn(type, 'R2', 'R3');

/** The first broken rule of a breakdown. */
export function breakdownErrorOf(alta: Alta): number | undefined {
  for (const detail of alta.details) {
    const broken = detailRules.find(([, isBroken]) => isBroken(detail, alta));
    if (broken) return broken[0];
    if (isVat(detail) && detail.qualification === 'S1' && detail.surchargeRate !== undefined && !isSurchargeOf(detail, alta.effective))
      return surchargeCode(detail);
  }
  return simplifiedRule[1](alta) ? simplifiedRule[0] : undefined;
}

/** A simplified invoice is of at most 3,000 €, with 10 € of margin. */
const simplifiedRule: Rule = [
  1150,
  ({ type, details, element }) =>
    type === 'F2' &&
    textAt(element, 'FacturaSinIdentifDestinatarioArt61d') !== 'S' &&
    sum(details.flatMap(({ base, amount }) => [base, amount])).cmp('3010') > 0,
];

/** Warnings about totals: 2006 CuotaTotal, 2005 ImporteTotal. Some regimes have none. */
export function totalWarnings({ details, element }: Alta): number[] {
  if (details.some(({ regime }) => isIn(regime, '03', '05', '06', '08', '09'))) return [];
  const amountAt = (name: string): Decimal => decimal(plain((textAt(element, name) ?? '0').replace(/^\+/, '')));
  const taxes = sum(details.flatMap(({ amount, surcharge }) => [amount, surcharge]));
  const total = sum(details.map(({ base }) => base)).plus(taxes);
  return [...(isFar(amountAt('ImporteTotal'), total) ? [2005] : []), ...(isFar(amountAt('CuotaTotal'), taxes) ? [2006] : [])];
}

const sum = (values: readonly (Decimal | undefined)[]): Decimal =>
  values.reduce<Decimal>((total, value) => (value ? total.plus(value) : total), decimal('0'));
