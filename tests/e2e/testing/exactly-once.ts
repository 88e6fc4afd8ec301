import { client, type Delivery } from '@svc/testkit';
import type { Invoice } from './retrying-client.ts';

/** A registration in the authority's ledger, which no fault of the product can change. */
export interface LedgerRow {
  document_number: string;
  code: string;
  voided_at: string | null;
  received: { record_sha256: string }[];
}

export async function readLedger(simulator: string): Promise<LedgerRow[]> {
  const ledger: LedgerRow[] = [];
  for (;;) {
    const { body } = await client(simulator)<{ data: LedgerRow[] }>('GET', '/ledger', { query: { after: ledger.length, limit: 500 } });
    ledger.push(...body.data);
    if (body.data.length === 0) return ledger;
  }
}

/** Checks that exactly the acknowledged invoices exist with their acknowledged numbers, from 1 without a gap. */
export function expectOneNumberEach(invoices: Invoice[], acknowledged: Map<string, string>): void {
  const numbers = new Map(invoices.map(({ id, number }) => [id, number]));
  expect([...acknowledged].filter(([id, number]) => numbers.get(id) !== number)).toEqual([]);
  expect(invoices.filter(({ id }) => !acknowledged.has(id))).toEqual([]);
  expect(invoices.map(({ number }) => Number(number.slice(-6))).sort((a, b) => a - b)).toEqual(invoices.map((_, n) => n + 1));
}

/** Checks that the authority has registered each invoice once with its number and fiscal code, and received one record for it. */
export function expectOneRegistrationEach(ledger: LedgerRow[], invoices: Invoice[]): void {
  expect(ledger.map(({ document_number }) => document_number).sort()).toEqual(invoices.map(({ number }) => number).sort());
  expect(ledger.filter(({ received }) => new Set(received.map(({ record_sha256 }) => record_sha256)).size !== 1)).toEqual([]);
  const codes = new Map(ledger.map(({ document_number, code }) => [document_number, code]));
  expect(invoices.filter(({ number, fiscal_code }) => codes.get(number) !== fiscal_code)).toEqual([]);
}

/** Ids of the resources in deliveries of this type. */
export const deliveredIds = (deliveries: Delivery[], type: string): Set<string> =>
  new Set(deliveries.filter(({ body }) => body.type === type).map(({ body: { data } }) => data.id));
