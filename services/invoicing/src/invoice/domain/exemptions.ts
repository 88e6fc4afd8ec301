import type { Details } from '@svc/kernel';
import type { InvoiceContent } from './state.ts';

/**
 * Lines whose VAT the customer owes (UNCL 5305: AE), where no line of that code names the reason, which an invoice has to (EN 16931: BR-AE-10;
 * Directive 2006/112/EC, article 226, 11a). That an exemption (E) has its reason is a rule of every country.
 */
export function exemptionProblems(items: InvoiceContent['items']): Details {
  const reversed = items.flatMap(({ taxes }, n) =>
    taxes.flatMap((tax, m) =>
      tax.category === 'VAT' && tax.code === 'AE' ? [{ ...tax, field: `items.${n}.taxes.${m}.exemption_reason` }] : [],
    ),
  );
  if (reversed.some(({ exemption_reason }) => exemption_reason)) return {};
  return Object.fromEntries(reversed.map(({ field }) => [field, ['is needed: the customer owes the tax (AE). Send "Reverse charge".']]));
}
