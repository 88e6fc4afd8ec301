import type { FiscalStatus } from '@svc/contracts/document/vocabulary';
import type { Projections } from '@svc/event-store';
import { soon, type Env } from '@svc/kernel';
import { invoicesProjection } from './invoice/invoices.ts';
import { receiptsProjection } from './receipt/receipts.ts';

const OPEN: FiscalStatus[] = ['pending', 'unknown', 'needs_review'];

/** Whether a document of the account waits for its authority. Throws service_unavailable while the lists are not up to date. */
export const openDocuments =
  (projections: Projections) =>
  async ({ account, env }: { account: string; env: Env }): Promise<boolean> => {
    const [invoices, receipts] = [projections.of(invoicesProjection), projections.of(receiptsProjection)];
    await Promise.all([invoices.barrier(), receipts.barrier()]);
    const tenant = { account, env };
    const { total } = await invoices.matches(tenant, { status: { $in: ['submitting', 'voiding'] } }, soon);
    if (total > 0) return true;
    const waiting = await receipts.matches(tenant, { fiscal_status: { $in: OPEN } }, soon);
    return waiting.total > 0 || (await receipts.matches(tenant, { status: { $in: ['voiding'] } }, soon)).total > 0;
  };
