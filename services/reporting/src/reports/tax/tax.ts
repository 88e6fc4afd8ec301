import { decimal, ZERO, type Decimal } from '@svc/kernel';
import type { TaxGroup } from '../../postings/posting.ts';
import { citing, counting, signed } from '../counting.ts';
import type { CountedPosting } from '../counted-posting.ts';
import { CITED } from '../report.ts';
import type { Part } from '../part.ts';

const IN_ISSUERS = ['issuer_base', 'issuer_tax'] as const;
const NOT_KNOWN = { issuer_base: null, issuer_tax: null };
const LABELS = ['customer_name', 'customer_tax_id'] as const;

/** The cited amount is of the base; the tax, or the retained tax, stands beside it, and what it adds in the issuer's currency. */
export const tax = counting({
  name: 'tax',
  description: 'Bases and taxes by category, code and rate, and by customer.',
  groupings: ['customer'],
  columns: (grouping) => ({
    of: [...(grouping === 'customer' ? ['customer_id', ...LABELS] : []), 'category', 'code', 'rate', 'currency'],
    sums: ['documents', 'base', 'tax', 'retained', ...IN_ISSUERS],
    cited: [...CITED, 'cited_tax', 'cited_issuer_base', 'cited_issuer_tax'],
  }),
  // A retained tax is of a base that another tax has: IRPF beside VAT.
  repeated: { columns: ['base', 'issuer_base'], by: ({ tax: own, retained }) => !isZero(retained) && isZero(own) },
  parts: (posting, grouping) => posting.figures.taxes.map((group) => partOf(posting, group, grouping === 'customer')),
});

const isZero = (amount: Decimal | null | undefined): boolean => amount?.cmp(ZERO) === 0;

function partOf(posting: CountedPosting, group: TaxGroup, isByCustomer: boolean): Part {
  const { figures, currency, customer_id } = posting;
  const { category, code, rate } = group;
  const of = (amount: string) => signed(figures, amount);
  const amounts = { base: of(group.base), tax: of(group.tax), retained: of(group.retained) };
  const issuer = group.issuer && { issuer_base: of(group.issuer.base), issuer_tax: of(group.issuer.tax) };
  const key = { category, code, rate: decimal(rate) };
  return {
    key: isByCustomer ? { customer_id, ...key } : key,
    currency,
    amounts: { ...amounts, ...(issuer ?? NOT_KNOWN) },
    ...(figures.issuer_currency !== null && { other: { currency: figures.issuer_currency, columns: IN_ISSUERS } }),
    ...(isByCustomer && { labels: { customer_name: figures.customer_name, customer_tax_id: figures.customer_tax_id } }),
    cites: { ...citing(posting, amounts.base), beside: { tax: amounts.tax.plus(amounts.retained), ...issuer } },
  };
}
