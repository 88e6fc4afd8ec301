import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { decimal, numberText, round, sharing, sum, ZERO, type Decimal } from '@svc/kernel';
import { element, type Element } from '../../xml/element.ts';

type Document = RegistrationRequested['document'];
type Row = Document['tax_breakdown'][number];

export interface Breakdown {
  rows: Element[];
  /** CuotaTotal: taxes and surcharges. */
  tax: string;
  /** ImporteTotal, without what is retained. */
  total: string;
}

const VAT = '01';
const [GENERAL, EXPORT, CASH, RENT] = ['01', '02', '07', '11'];
const exempt: Record<string, string> = { G: 'E2', K: 'E5' };

const euro = (amount: Decimal): string => {
  const [whole = '0', part = ''] = String(amount).split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
};

const text = (name: string, value: string | undefined): Element | undefined =>
  value === undefined ? undefined : element(name, {}, [value]);

/**
 * DetalleDesglose by tax group (L8, L9, L10 of the record design 1.0), in euro.
 * @param factor euro per unit of the document's currency, negative where it takes back
 * @param regime the issuer's (L8A)
 */
export function breakdownOf(document: Document, factor: Decimal, regime: string = GENERAL): Breakdown {
  const inEuro = (amount: number): Decimal => round(decimal(numberText(amount)).times(factor), 2);
  const rows = document.tax_breakdown.filter(({ category, retained }) => category === 'VAT' && !retained);
  const bases = rows.map(({ base }) => inEuro(base));
  const taxes = rows.map(({ amount, surcharge }) => inEuro(amount).plus(surcharge ? inEuro(surcharge.amount) : ZERO));
  const subtotal = inEuro(document.subtotal);
  // Where everything bears VAT, what is left is of rounding and conversion alone.
  const untaxed = hasUntaxed(document) ? subtotal.minus(sum(bases)) : ZERO;
  const details = rows.flatMap((row, n) => {
    const base = bases[n] ?? ZERO;
    return row.code === 'E' ? exemptDetails(document, base) : [detail(row, { base, inEuro })];
  });
  // A record without a detail is no record by the schema, and would hold up its chain.
  if (!untaxed.eq('0') || details.length === 0) details.push({ qualification: 'N1', base: untaxed });
  const tax = sum(taxes);
  const written = details.map((one) => detailOf(one, regimeOf(one, regime)));
  return { rows: written, tax: euro(tax), total: euro(subtotal.plus(tax)) };
}

const hasUntaxed = ({ items, discounts = [], charges = [] }: Document): boolean =>
  [...items, ...discounts, ...charges].some(
    ({ taxes }) => taxes && !taxes.some(({ category, retained }) => category === 'VAT' && !retained),
  );

/** An exempt base by the articles that exempt it, which lines name. */
function exemptDetails({ items }: Document, base: Decimal): Detail[] {
  const those = items.flatMap(({ amount, taxes }) => {
    const tax = taxes.find(({ code, category, retained }) => category === 'VAT' && code === 'E' && !retained);
    return tax ? [{ amount: decimal(numberText(amount)), exemption: tax.exemption_code ?? 'E1' }] : [];
  });
  const shares = sharing(
    those.map(({ amount }) => amount),
    2,
  )(base);
  const byArticle = Map.groupBy(those.keys(), (n) => those[n]?.exemption);
  return Array.from(byArticle, ([exemption, of]) => ({ exemption, base: sum(Array.from(of, (n) => shares[n] ?? ZERO)) }));
}

function detail({ code, rate, amount, surcharge }: Row, { base, inEuro }: { base: Decimal; inEuro: (of: number) => Decimal }): Detail {
  if (code === 'O') return { qualification: 'N1', base };
  if (code === 'G' || code === 'K') return { exemption: exempt[code], base };
  if (code === 'AE') return { qualification: 'S2', base, rate: '0', tax: '0.00' };
  const added = surcharge && { surchargeRate: numberText(surcharge.rate), surcharge: euro(inEuro(surcharge.amount)) };
  return { qualification: 'S1', base, rate: numberText(rate), tax: euro(inEuro(amount)), ...added };
}

interface Detail {
  qualification?: string;
  exemption?: string | undefined;
  base: Decimal;
  rate?: string;
  tax?: string;
  surchargeRate?: string;
  surcharge?: string;
}

/** The issuer's regime, unless the operation cannot be of it (validations 1.2.2, 15.4 and 15.6): then the general one, and of exports their own. */
function regimeOf({ qualification, exemption = '', rate }: Detail, ofIssuer: string): string {
  if (exemption === 'E2' || exemption === 'E3') return EXPORT;
  const isNoCash = exemption === 'E4' || exemption === 'E5' || qualification === 'S2' || qualification === 'N1';
  if (ofIssuer === CASH && isNoCash) return GENERAL;
  return ofIssuer === RENT && rate !== '21' ? GENERAL : ofIssuer;
}

/** An exempt base has neither rate nor tax (1238). */
const detailOf = ({ qualification, exemption, base, ...of }: Detail, regime: string): Element =>
  element('sf:DetalleDesglose', {}, [
    ...[text('sf:Impuesto', VAT), text('sf:ClaveRegimen', regime)],
    ...[text('sf:CalificacionOperacion', qualification), text('sf:OperacionExenta', exemption)],
    ...[text('sf:TipoImpositivo', of.rate), text('sf:BaseImponibleOimporteNoSujeto', euro(base)), text('sf:CuotaRepercutida', of.tax)],
    ...[text('sf:TipoRecargoEquivalencia', of.surchargeRate), text('sf:CuotaRecargoEquivalencia', of.surcharge)],
  ]);
