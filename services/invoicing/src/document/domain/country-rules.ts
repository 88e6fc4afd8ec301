import { decimal, DomainError, ofCountryRule, sum, type Details } from '@svc/kernel';
import { validate, type RuledDocument, type RuledIssuer } from '@svc/tax-rules';
import type { Totals } from '@svc/totals/terms';
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

type Content = DocumentContent & Pick<RuledDocument, 'type'> & Partial<RuledDocument> & { customer_id?: string | null };

const ofCustomer = ({ type, customer_id = null }: Content, customer?: FrozenCustomer) => {
  const { address, tax_id, tax_id_kind, tax_ids = [] } = customer ?? {};
  const known = tax_ids.find(({ value }) => value === tax_id) ?? (tax_id ? undefined : tax_ids[0]);
  return {
    customer_country: address?.country,
    has_customer: customer !== undefined || (type === 'receipt' && customer_id !== null),
    customer_tax_id: tax_id ?? known?.value ?? null,
    customer_tax_id_kind: (tax_id ? tax_id_kind : null) ?? known?.kind ?? null,
    customer_tax_id_country: known?.country ?? address?.country ?? null,
  };
};

const isVat = ({ category, retained }: { category: string; retained: boolean }): boolean => category === 'VAT' && !retained;

/** Amounts that an authority may find too large, or not of one another. */
export const amountsOf = ({ subtotal, total, tax_breakdown }: Totals): NonNullable<RuledDocument['amounts']> => ({
  ...{ total, others: [subtotal, ...tax_breakdown.map(({ base }) => base)] },
  taxed: tax_breakdown.filter((row) => isVat(row) && row.code === 'S').map(({ rate, base, amount }) => ({ rate, base, amount })),
});

/** Whether a group of one tax, or what has none, comes to less than 0. Where all bears VAT, what is left of the subtotal is of rounding alone. */
export function takesBack(
  { items, discounts, charges }: Pick<DocumentContent, 'items' | 'discounts' | 'charges'>,
  { subtotal, tax_breakdown }: Totals,
): boolean {
  const bases = tax_breakdown.filter(isVat).map(({ base }) => decimal(base));
  const hasUntaxed = [...items, ...discounts, ...charges].some(({ taxes }) => taxes && !taxes.some(isVat));
  const untaxed = hasUntaxed ? [decimal(subtotal).minus(sum(bases))] : [];
  return [...bases, ...untaxed].some((amount) => amount.cmp('0') < 0);
}

/** What the rules of the issuer's country have against issuing it, by field; each message names its rule. */
export function countryProblems(content: Content, { issuer, numbering, customer }: Issuing): Details {
  const number_format = numbering === null || numbering instanceof DomainError ? null : numbering.format;
  const document = { ...content, number_format, ...ofCustomer(content, customer) };
  const problems = Map.groupBy(validate(document, issuer), ({ field }) => field);
  return Object.fromEntries([...problems].map(([field, all]) => [field, all.map(({ rule, message }) => ofCountryRule(message, rule))]));
}
