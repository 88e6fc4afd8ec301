import fc from 'fast-check';
import { runProjection, type Projection, type Row, type RunningProjection } from '@svc/event-store';
import { rowAfterAll } from '@svc/event-store/testing/row-after';
import { DomainError, type Uid } from '@svc/kernel';
import { isNumbered } from '../document/domain/state.ts';
import { cancellation, outcomeEvent, registration, rejection, voidRefusal } from '../document/testing/outcomes.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { attemptOf } from '../invoice/domain/state.ts';
import { invoices, invoicesProjection } from '../invoice/invoices.ts';
import { recordPayment, reversePayment } from '../invoice/payments.ts';
import { reviseInvoice } from '../invoice/write.ts';
import { receipts, receiptsProjection } from '../receipt/receipts.ts';
import { receiptProcess } from '../receipt/process.ts';
import { resubmitReceipt } from '../receipt/write.ts';
import { dataFolder, openSystem } from '../testing/open-system.ts';
import { openShop } from '../testing/shop.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
const { context, ids, store, documents, subscribing } = system;
const running = {
  invoice: runProjection(invoicesProjection, documents, subscribing),
  receipt: runProjection(receiptsProjection, documents, subscribing),
};
afterAll(async () => {
  await Promise.all([running.invoice, running.receipt].map(({ subscription }) => subscription.stop()));
  system.engine.close();
  folder.remove();
});

/** The document that a command is about: the n-th, of those that there are. */
const of = fc.nat(5);
/** Of a total of 10: some are beyond what is left. */
const amount = fc.integer({ min: 1, max: 6 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('credit_note' as const, 'corrective' as const),
      of,
      amount,
      sign: fc.constantFrom(1, -1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ issue: fc.constantFrom('standard' as const, 'receipt' as const) }) },
  { weight: 5, arbitrary: fc.record({ submit: of }) },
  { weight: 5, arbitrary: fc.record({ outcome: of, isGood: fc.constantFrom(true, true, false) }) },
  { weight: 3, arbitrary: fc.record({ receipt: of, isGood: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ pay: of, amount }) },
  { weight: 2, arbitrary: fc.record({ reverse: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ revise: of, amount }) },
  { weight: 1, arbitrary: fc.record({ void: of }) },
  { weight: 1, arbitrary: fc.record({ voidReceipt: of }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Carries out the commands, one after the other. A command that is refused is part of it. */
async function run(steps: readonly Step[]) {
  const { account, call, draft, submit, receipt, invoice } = await openShop(system);
  const made = { invoice: [] as string[], receipt: [] as string[] };
  const payments: { id: string; payment: string }[] = [];
  const named = (id: string) => ({ id, ifMatch: undefined });
  const nth = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;
  const items = (price: number, quantity = 1) => [{ description: 'Tea', unit_price: price, quantity }];

  async function judge(id: string, isGood: boolean): Promise<void> {
    const ref = { account, env: 'test' as const, id };
    const { state, revision } = await invoices.current(context, ref);
    const tell = (name: string, data: object) =>
      invoiceProcess.applyOutcome(context, outcomeEvent({ id: ids.next() as Uid, account, subject: id }, name, data));
    if (state.status === 'submitting')
      await (isGood
        ? tell('document-registered', { ...registration, round: attemptOf(state) })
        : tell('document-rejected', { ...rejection('data'), round: attemptOf(state) }));
    if (state.status === 'voiding')
      await (isGood ? tell('document-cancelled', cancellation) : tell('cancellation-refused', voidRefusal(Number(revision) + 1)));
  }
  /** The authority's outcome of a receipt; one that it rejected is sent again. */
  async function judgeReceipt(id: string, isGood: boolean): Promise<void> {
    const { state, revision } = await receipts.current(context, { account, env: 'test', id });
    if (!isNumbered(state)) return;
    const { round, fiscal, status } = state;
    const tell = (name: string, data: object) =>
      receiptProcess.applyOutcome(context, outcomeEvent({ id: ids.next() as Uid, account, subject: id }, name, data));
    if (fiscal.status === 'rejected') await resubmitReceipt(call(), named(id));
    else if (fiscal.status === 'pending')
      await (isGood
        ? tell('document-registered', { ...registration, round })
        : tell('document-rejected', { ...rejection('setup'), round }));
    else if (status === 'voiding')
      await (isGood ? tell('document-cancelled', cancellation) : tell('cancellation-refused', voidRefusal(Number(revision) + 1)));
  }
  async function carryOut(one: Step): Promise<void> {
    if ('submit' in one) await submit(nth(made.invoice, one.submit));
    else if ('outcome' in one) await judge(nth(made.invoice, one.outcome), one.isGood);
    else if ('receipt' in one) await judgeReceipt(nth(made.receipt, one.receipt), one.isGood);
    else if ('pay' in one) {
      const id = nth(made.invoice, one.pay);
      const { id: payment } = await recordPayment(call(), { ...named(id), body: { amount: one.amount, paid_at: '2026-01-16' } });
      payments.push({ id, payment });
    } else if ('reverse' in one) {
      if (payments.length === 0) return;
      const { id, payment } = nth(payments, one.reverse);
      await reversePayment(call(), { ...named(id), payment });
    } else if ('revise' in one)
      await reviseInvoice(call(), { ...named(nth(made.invoice, one.revise)), body: { items: items(one.amount) } });
    else if ('void' in one) await invoiceProcess.void(call(), { ...named(nth(made.invoice, one.void)), reason: 'Returned' });
    else if ('voidReceipt' in one) await receiptProcess.void(call(), { ...named(nth(made.receipt, one.voidReceipt)), reason: 'Returned' });
    else if ('issue' in one) {
      if (one.issue === 'receipt') made.receipt.push((await receipt()).id);
      else made.invoice.push(await draft());
    } else {
      const over = {
        type: one.type,
        corrects: nth(made.invoice, one.of),
        items: items(one.amount, one.type === 'corrective' ? one.sign : 1),
      };
      const id = await draft(over);
      made.invoice.push(id);
      await submit(id);
    }
  }

  const { id } = await invoice();
  made.invoice.push(id);
  await judge(id, true);
  made.receipt.push((await receipt()).id);
  for (const one of steps)
    await carryOut(one).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  return { account, call, made };
}

test('rows are those of a fold from the first event, and show what single reads show, after any commands', async () => {
  const seen = new Map<string, number>();
  async function check(
    { projection, rows }: RunningProjection<Row>,
    { stream, id, read }: { stream: string; id: string; read: Promise<object> },
  ): Promise<void> {
    const events = await store.read(stream);
    for (const { type } of events) seen.set(type, (seen.get(type) ?? 0) + 1);
    const { ordinal: _, ...row } = (await rows.get(id)) as Row;
    expect(row).toEqual(rowAfterAll(projection as Projection<Row, unknown>, events));
    expect(JSON.parse((row as unknown as { resource: string }).resource)).toEqual(JSON.parse(JSON.stringify(await read)));
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      const { account, call, made } = await run(steps);
      await Promise.all([running.invoice.barrier(), running.receipt.barrier()]);
      for (const [kind, documentsOf] of [
        ['invoice', invoices],
        ['receipt', receipts],
      ] as const)
        for (const id of made[kind])
          await check(running[kind] as unknown as RunningProjection<Row>, {
            stream: documentsOf.stream({ account, env: 'test', id }),
            id,
            read: documentsOf.read(call(), id),
          });
    }),
    { numRuns: 60 },
  );
  for (const type of ['PaymentRecorded', 'PaymentReversed', 'CorrectionReserved', 'CorrectionApplied', 'CorrectionReleased', 'Voided'])
    expect([type, (seen.get(`Invoice${type}`) ?? 0) > 0]).toEqual([type, true]);
  for (const type of ['Registered', 'Rejected', 'Resubmitted', 'Voided'])
    expect([type, (seen.get(`Receipt${type}`) ?? 0) > 0]).toEqual([type, true]);
});
