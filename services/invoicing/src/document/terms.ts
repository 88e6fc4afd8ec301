import { foldCase } from '@svc/kernel';
import { nameTerms, plainAmount, taxIdTerm, type Terms } from '../terms/terms.ts';
import { isNumbered, type DocumentContent, type Written } from './domain/state.ts';

/** A draft has no name in it: its customer is named once it is submitted. */
export function documentTerms(kind: 'invoice' | 'receipt', state: Written<DocumentContent>): Terms {
  const total = { total: plainAmount(state.totals.total) };
  if (!isNumbered(state)) return total;
  const { issue, fiscal, parties } = state;
  const { customer } = parties;
  const personal = customer && { ...nameTerms(kind, customer.name ?? ''), ...taxIdTerm(customer.tax_id) };
  return {
    ...total,
    ...{ number: foldCase(issue.number), seq: issue.seq },
    ...(fiscal.code === null ? {} : { fiscal_code: foldCase(fiscal.code) }),
    ...(customer && personal && Object.keys(personal).length > 0 ? { subject: customer.id, ...personal } : {}),
  };
}
