import { entityValidators, euVat, personValidators, stdnum, type Validator } from 'stdnum';

const byCountry = (country: string): Validator[] => {
  const listed = [entityValidators, personValidators, euVat].flatMap((validators) => validators[country] ?? []);
  return listed.length > 0 ? listed : Object.values(stdnum[country] ?? {});
};

/** Check digits and formats of some 80 countries; a country without a rule accepts any number. Loads all of them: see tax-ids.ts. */
export function isTaxIdOf(country: string, taxId: string): boolean {
  const validators = byCountry(country.toUpperCase());
  return validators.length === 0 || validators.some((validator) => validator.validate(taxId).isValid);
}
