import { DomainError, ofCountryRule, type Details } from '@svc/kernel';
import { validate, type RuledDocument, type RuledIssuer } from '@svc/tax-rules';
import type { Numbering } from '../../numbering/domain/numbering.ts';
import type { FrozenCustomer } from './parties.ts';
import type { DocumentContent } from './state.ts';

interface Issuing {
  issuer: RuledIssuer;
  /** null: it has its number; an error is reported by itself. */
  numbering: Numbering | DomainError | null;
  /** Absent where the document is for whoever is at the till. */
  customer?: FrozenCustomer | undefined;
}

const ofCustomer = (customer?: FrozenCustomer) => ({
  ...{ customer_country: customer?.address?.country, has_customer: customer !== undefined },
  customer_tax_id: customer?.tax_id ?? customer?.tax_ids?.[0]?.value ?? null,
});

/** What the rules of the issuer's country have against issuing it, by field; each message names its rule. */
export function countryProblems(
  content: DocumentContent & Pick<RuledDocument, 'type'> & Partial<RuledDocument>,
  { issuer, numbering, customer }: Issuing,
): Details {
  const number_format = numbering === null || numbering instanceof DomainError ? null : numbering.format;
  const document = { ...content, number_format, ...ofCustomer(customer) };
  const problems = Map.groupBy(validate(document, issuer), ({ field }) => field);
  return Object.fromEntries([...problems].map(([field, all]) => [field, all.map(({ rule, message }) => ofCountryRule(message, rule))]));
}
