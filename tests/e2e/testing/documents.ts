import type { Call } from '@svc/testkit';
import type { Invoice } from './retrying-client.ts';

export const PATHS = ['/invoices', '/receipts'] as const;
export type Path = (typeof PATHS)[number];

/** An invoice, credit note, corrective or receipt, as the API answers it. */
export interface Document extends Invoice {
  type: string;
  corrects: string | null;
  series: string;
  amount_paid: number;
  amount_credited: number;
  amount_due: number;
  fiscal: { status: string } | null;
}
/** All documents of an account, by their kind. */
export type Documents = Record<Path, Document[]>;

export const isNumbered = ({ number }: Document): boolean => number !== null;

/** Checks the totals of the sales report against documents of one currency that are all settled: void ones do not count, credit notes are subtracted. */
export async function expectSales(call: Call, made: Documents): Promise<void> {
  const counted = [...made['/invoices'], ...made['/receipts']].filter((one) => isNumbered(one) && one.status !== 'voided');
  const total = counted.reduce((sum, one) => sum + (one.type === 'credit_note' ? -one.total : one.total), 0);
  const { body } = await call<{ totals: object[] }>('GET', '/reports/sales');
  expect(body.totals).toMatchObject([{ currency: 'EUR', documents: counted.length, total }]);
}
