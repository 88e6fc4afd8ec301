import { invalid } from '@svc/kernel';
import { noTaxIdOf, type TaxIdCheck } from '../../customer/domain/tax-id.ts';
import type { IssuerState } from './state.ts';

/** The tax id is of the country of the address, else of the issuer's. */
const taxCountry = ({ address, country }: IssuerState): string | null => address?.country ?? country;

/** Judges the tax id where it or its country changes: one that was stored before this rule may stay. Throws validation_error. */
export function checkTaxId(next: IssuerState, now: IssuerState, isTaxId: TaxIdCheck): void {
  const country = taxCountry(next);
  if (next.tax_id === null || country === null) return;
  if (next.tax_id === now.tax_id && country === taxCountry(now)) return;
  if (!isTaxId(country, next.tax_id)) throw invalid({ tax_id: [noTaxIdOf(country)] });
}
