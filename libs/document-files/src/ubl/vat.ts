import { decimal, toText } from '@svc/kernel';
import type { Tax, TaxCode } from '@svc/totals/terms';
import { notRepresentable } from './not-representable.ts';

/** A VAT category with its rate, a surcharge included: what the VAT breakdown (BG-23) groups by. */
export interface Vat {
  key: string;
  code: TaxCode;
  /** Percent. */
  rate: string;
  /** The part of `rate` that inclusive prices include. */
  included: string;
  surcharged: boolean;
  reason?: string;
}

const OUTSIDE: Vat = { key: 'O 0', code: 'O', rate: '0', included: '0', surcharged: false };

/**
 * The VAT of a line or of a document discount; without one it is outside the scope (O). What the payer withholds is shown in the payment terms instead.
 * Throws not_representable for any other tax. `field`: names `taxes` in the resource.
 */
export function vatOf(taxes: readonly Tax[], field: string): Vat {
  let vat = OUTSIDE;
  taxes.forEach((tax, n) => {
    if (tax.category !== 'VAT') {
      if (!tax.retained)
        throw notRepresentable(
          `${field}.${n}.category`,
          `is ${tax.category}: only VAT can be stated, not IGIC (L), IPSI (M) or another tax.`,
        );
      return;
    }
    if (tax.retained) throw notRepresentable(`${field}.${n}.retained`, 'is true: VAT that the customer withholds cannot be stated.');
    vat = ofTax(tax, `${field}.${n}`);
  });
  return vat;
}

function ofTax({ code, rate, surcharge = '0', exemption_reason }: Tax, field: string): Vat {
  const surcharged = surcharge !== '0';
  if (surcharged && code !== 'S') throw notRepresentable(`${field}.surcharge`, `cannot be added to the code ${code}.`);
  const whole = surcharged ? toText(decimal(rate).plus(surcharge)) : rate;
  const vat: Vat = { key: `${code} ${whole}`, code, rate: whole, included: rate, surcharged };
  if (exemption_reason && code !== 'S' && code !== 'Z') vat.reason = exemption_reason;
  return vat;
}

/** Of the breakdown; rows of a retained tax have none. */
export const rowVat = ({ code, rate, surcharge }: { code: TaxCode; rate: string; surcharge?: { rate: string } }): Vat =>
  ofTax({ category: 'VAT', code, rate, retained: false, ...(surcharge && { surcharge: surcharge.rate }) }, 'tax_breakdown');

/** The code of the VATEX list and the text of the standard where the caller gave none. An exemption (E) needs the caller's. */
export const exemptions: Partial<Record<TaxCode, { code: string; text: string }>> = {
  AE: { code: 'VATEX-EU-AE', text: 'Reverse charge' },
  K: { code: 'VATEX-EU-IC', text: 'Intra-community supply' },
  G: { code: 'VATEX-EU-G', text: 'Export outside the EU' },
  O: { code: 'VATEX-EU-O', text: 'Not subject to VAT' },
};
