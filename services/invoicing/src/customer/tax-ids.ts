import type { Validator } from 'stdnum';
import type { CustomerBody, TaxIdCheck } from './domain/fields.ts';

let loading: Promise<TaxIdCheck> | undefined;

/** The check digits and formats of some 80 countries. Loaded when first asked for: it takes longer than the rest of the start. */
function stdnumCheck(): Promise<TaxIdCheck> {
  loading ??= import('stdnum').then(({ entityValidators, personValidators, euVat, stdnum }) => {
    const byCountry = (country: string): Validator[] => {
      const listed = [entityValidators, personValidators, euVat].flatMap((validators) => validators[country] ?? []);
      return listed.length > 0 ? listed : Object.values(stdnum[country] ?? {});
    };
    return (country, taxId) => {
      const validators = byCountry(country.toUpperCase());
      return validators.length === 0 || validators.some((validator) => validator.validate(taxId).isValid);
    };
  });
  return loading;
}

const anything: TaxIdCheck = () => true;

/** What checks the tax id, if this body can change it or its country. */
export const taxIdCheck = async (body: CustomerBody): Promise<TaxIdCheck> =>
  body.tax_id || body.address?.country ? stdnumCheck() : anything;
