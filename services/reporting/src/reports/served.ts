import { DomainError } from '@svc/kernel';
import { customers } from './customers/customers.ts';
import { numbering } from './numbering/numbering.ts';
import { products } from './products/products.ts';
import { receivables } from './receivables/receivables.ts';
import type { Report } from './report.ts';
import { sales } from './sales/sales.ts';
import { submissions } from './submissions/submissions.ts';
import { tax } from './tax/tax.ts';

/** All reports, in the order of the catalogue. */
export const served: readonly Report[] = [sales, tax, receivables, customers, products, submissions, numbering];

/** The rows that are summed for each block of postings. */
export const views = [sales, tax, products].flatMap((report) => report.views);

export function reportNamed(name: string): Report {
  const report = served.find((one) => one.name === name);
  if (!report) throw new DomainError('not_found', 'There is no such report. GET /v1/reports lists those there are.');
  return report;
}
