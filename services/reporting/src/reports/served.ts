import { DomainError } from '@svc/kernel';
import { customers } from './customers/customers.ts';
import type { Report } from './report.ts';
import { sales } from './sales/sales.ts';
import { tax } from './tax/tax.ts';

/** All reports, in the order of the catalogue. */
export const served: readonly Report[] = [sales, tax, customers];

export function reportNamed(name: string): Report {
  const report = served.find((one) => one.name === name);
  if (!report) throw new DomainError('not_found', 'There is no such report. GET /v1/reports lists those there are.');
  return report;
}
