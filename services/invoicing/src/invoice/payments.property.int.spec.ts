import fc from 'fast-check';
import { runProjection, type Row } from '@svc/event-store';
import { rowAfterAll } from '@svc/event-store/testing/row-after';
import { DomainError } from '@svc/kernel';
import { createCustomer } from '../customer/write.ts';
import { outcomeEvent, registration, voidRefusal } from '../document/testing/outcomes.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { createInvoice, invoices, invoicesProjection } from './invoices.ts';
import { invoiceProcess } from './process.ts';
import { recordPayment, reversePayment } from './payments.ts';
import { reviseInvoice, submitInvoice } from './write.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
const { context, customers, ids, store } = system;
const running = runProjection(invoicesProjection, system.documents, system.subscribing);
afterAll(async () => {
  await running.subscription.stop();
  system.engine.close();
  folder.remove();
});

const account = `acct_${ids.next()}`;
const call = () => ({ context, identity: callerOf(system, account) });
const paid_at = '2026-01-16';

/** Cents, or the n-th payment so far, or something else that happens to the invoice. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pay: fc.oneof(fc.integer({ min: 1, max: 9_000 }), fc.constantFrom(1, 10, 29_999, 30_000)) }) },
  { weight: 4, arbitrary: fc.record({ reverse: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constantFrom('metadata' as const, 'void' as const, 'refuse void' as const) },
);
const TOTAL = 30_000; // cents: 300.00
const amountOf = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

test('payments and reversals in any order: never more than due, exact sums, and the row of the list is that of a fold from the first event', async () => {
  const customer = await createCustomer({ ...call(), customers }, { name: 'Jo' });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const items = [{ description: 'x', quantity: 3, unit_price: 100, tax_rate: 0 }];
      const { id } = await createInvoice(call(), { customer_id: customer.id, items });
      const named = { id, ifMatch: undefined };
      const apply = (name: string, data: object) =>
        invoiceProcess.applyOutcome(context, outcomeEvent({ id: ids.next(), account, subject: id }, name, data));
      await submitInvoice(call(), { ...named, lateReason: null });
      await apply('document-registered', registration);

      const payments: { id: string; cents: number; counts: boolean }[] = [];
      const paid = (): number => payments.reduce((sum, { cents, counts }) => sum + (counts ? cents : 0), 0);
      let isVoiding = false;
      const refusedAs = async (work: Promise<unknown>): Promise<string | undefined> =>
        work.then(
          () => undefined,
          (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
        );
      for (const one of steps) {
        if (one === 'metadata') {
          await reviseInvoice(call(), { ...named, body: { metadata: { at: ids.next() } } });
        } else if (one === 'void') {
          expect(await refusedAs(invoiceProcess.void(call(), { ...named, reason: 'entered twice' }))).toBe(
            paid() > 0 && !isVoiding ? 'invalid_state' : undefined,
          );
          isVoiding ||= paid() === 0;
        } else if (one === 'refuse void') {
          const { version } = await invoices.read(call(), id);
          await apply('cancellation-refused', voidRefusal(version));
          isVoiding = false;
        } else if ('pay' in one) {
          const body = { amount: amountOf(one.pay), paid_at };
          const expected = isVoiding ? 'invalid_state' : paid() + one.pay > TOTAL ? 'validation_error' : undefined;
          const recorded = recordPayment(call(), { ...named, body });
          expect(await refusedAs(recorded)).toBe(expected);
          if (expected === undefined) payments.push({ id: (await recorded).id, cents: one.pay, counts: true });
        } else {
          const payment = payments[one.reverse];
          if (!payment) continue;
          expect((await reversePayment(call(), { ...named, payment: payment.id })).deleted_at).toEqual(expect.any(String));
          payment.counts = false;
        }
        const due = TOTAL - paid();
        const status = due === 0 ? 'paid' : paid() > 0 ? 'partial' : 'unpaid';
        expect(JSON.parse(JSON.stringify(await invoices.read(call(), id)))).toMatchObject({
          ...{ amount_paid: paid() / 100, amount_due: due / 100, payment_status: status },
          ...(isVoiding ? { status: 'voiding' } : { status: 'submitted' }),
        });
      }
      await running.barrier();
      const events = await store.read(invoices.stream({ account, env: 'test', id }));
      const { ordinal: _, ...row } = (await running.rows.get(id)) as Row;
      expect(row).toEqual(rowAfterAll(invoicesProjection, events));
    }),
    { numRuns: 40 },
  );
});
