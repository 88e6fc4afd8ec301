import type { Details } from '@svc/kernel';
import type { InvoiceContent } from './state.ts';

/** Codes of UNCL 5305 that state no tax for a reason, which an invoice has to name (EN 16931: BR-E-10, BR-AE-10; Directive 2006/112/EC, article 226, 11 and 11a). */
const reasons = {
  E: 'is needed: the line is exempt (E). Name the provision of the law.',
  AE: 'is needed: the customer owes the tax (AE). Send "Reverse charge".',
};

/** Lines whose VAT is exempt or reversed, where no line of that code names the reason. */
export function exemptionProblems(items: InvoiceContent['items']): Details {
  const taxes = items.flatMap(({ taxes }, n) => taxes.map((tax, m) => ({ ...tax, field: `items.${n}.taxes.${m}.exemption_reason` })));
  const problems: Details = {};
  for (const code of ['E', 'AE'] as const) {
    const stated = taxes.filter((tax) => tax.category === 'VAT' && tax.code === code);
    if (stated.some(({ exemption_reason }) => exemption_reason)) continue;
    for (const { field } of stated) problems[field] = [reasons[code]];
  }
  return problems;
}
