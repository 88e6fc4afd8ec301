import { decimal } from '@svc/kernel';
import type { Counted } from '../../facts/counted.ts';
import type { Part, Report } from '../report.ts';

/** The cited amount is the tax, or the retained tax. */
export const tax: Report = {
  name: 'tax',
  description: 'Bases and taxes by category, code and rate.',
  groupings: [],
  parts({ fact }: Counted): Part[] {
    return fact.taxes.map(({ category, code, rate, ...group }) => {
      const amounts = { base: decimal(group.base), tax: decimal(group.tax), retained: decimal(group.retained) };
      return { key: { category, code, rate: decimal(rate) }, amounts, referenceAmount: amounts.tax.plus(amounts.retained) };
    });
  },
};
