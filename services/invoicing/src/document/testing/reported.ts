import { documentTypes } from '../../document-types.ts';
import { callerOf } from '../../testing/open-system.ts';
import type { serve } from '../../testing/serve.ts';
import { outcomeEvent } from './outcomes.ts';

export const kinds = ['invoice', 'receipt'] as const;
export type Kind = (typeof kinds)[number];

export const items = [{ description: 'x', unit_price: 10, tax_rate: 20 }];

/** Submitted documents of both kinds, and what fiscal-submission reports of them. */
export function reportedDocuments({ call, customer, system }: ReturnType<typeof serve>) {
  const { account } = callerOf(system);
  return {
    account,
    /** `over`: of an invoice. Returns its id. */
    async submitted(kind: Kind, over: object = {}): Promise<string> {
      if (kind === 'receipt') return String((await call('POST /receipts', { body: { items, payment_method: 'cash' } })).body['id']);
      const { body } = await call('POST /invoices', { body: { customer_id: await customer(), items, ...over } });
      await call('POST /invoices/{id}/submit', { id: String(body['id']) });
      return String(body['id']);
    },
    report: (kind: Kind, subject: string, name: string, data: object) =>
      documentTypes[kind].process.applyOutcome(system.context, outcomeEvent({ id: system.ids.next(), account, subject }, name, data)),
  };
}
