import { compactTaxId } from '@svc/kernel';
import { entityValidators, euVat, personValidators, stdnum, type Validator } from 'stdnum';
import { forms, parts, prefixes, unlisted } from './country-forms.ts';

/** Of companies. */
const companyRules = (country: string): Validator[] => [
  ...(entityValidators[country] ?? []),
  ...(euVat[country] ?? []),
  ...(unlisted[country] ?? []).flatMap((rule) => stdnum[country]?.[rule] ?? []),
];

/**
 * Judges a number by the rules of the country's companies, and by those of its persons: a customer is either. A country without a rule of
 * companies accepts any number, since its persons' rule would refuse every company. A number passes as it is written, without separators,
 * without the prefix of the country, by the part of it that has a rule, or in a form that the authority accepts beside the rules.
 * Loads the rules of some 90 countries: see tax-id-check.ts.
 */
export function isTaxIdOf(country: string, taxId: string): boolean {
  const code = country.toUpperCase();
  const companies = companyRules(code);
  if (companies.length === 0) return true;
  const written = spellings(code, taxId);
  const rules = [...companies, ...(personValidators[code] ?? [])];
  if (rules.some((rule) => written.some((one) => rule.validate(one).isValid))) return true;
  return (forms[code] ?? []).some((form) => written.some((one) => form.test(one)));
}

function spellings(country: string, taxId: string): string[] {
  const compact = compactTaxId(taxId).replaceAll(':', '');
  const prefix = [country, ...(prefixes[country] ?? [])].find((one) => compact.startsWith(one));
  const bare = compact.slice(prefix?.length ?? 0);
  return [...new Set([taxId, compact, bare, ...(parts[country]?.exec(bare) ?? [])])];
}
