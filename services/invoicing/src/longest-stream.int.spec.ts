import type { PublicEvent } from '@svc/contracts/events/envelope';
import { createRelay } from '@svc/event-bus/publishing/relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import type { Recorded } from '@svc/kernel';
import { createCustomer, deleteCustomer, updateCustomer } from './customer/write.ts';
import { createCustomers, customerStream } from './customer/customers.ts';
import { customerPublisher } from './customer/publish.ts';
import { createInvoice, invoices } from './invoice/invoices.ts';
import { outcomeEvent, registration, voidRefusal } from './document/testing/outcomes.ts';
import { recordPayment, reversePayment } from './invoice/payments.ts';
import { reviseInvoice, submitInvoice } from './invoice/write.ts';
import { createIssuers, issuerStream } from './issuer/issuers.ts';
import { updateIssuer } from './issuer/update.ts';
import { KEPT_FOR_OUTCOMES, MOST_EVENTS } from './longest-stream.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { createReceipt } from './receipt/write.ts';
import { invoiceProcess } from './invoice/process.ts';
import { receipts } from './receipt/receipts.ts';
import { receiptProcess } from './receipt/process.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, customers, issuers, ids, store } = system;
const at = '2026-01-16T12:00:00.000Z';
const account = `acct_${ids.next()}`;
const env = 'test' as const;
const call = () => ({ context, customers, issuers, identity: callerOf(system, account) });
const named = (id: string) => ({ id, ifMatch: undefined });

/** Appends events without effect until the stream has this many. */
async function fill(stream: string, type: string, data: object, upTo = MOST_EVENTS): Promise<void> {
  const stored = (await store.read(stream)).length;
  const event = () => ({ id: ids.next(), type, data: { at, ...data }, metadata: { v: 1, account, env } });
  for (let next = stored; next < upTo; next += 200) {
    const some = Array.from({ length: Math.min(200, upTo - next) }, event);
    await store.append(stream, next === 0 ? 'none' : BigInt(next - 1), some);
  }
}
const full = { code: 'invalid_state', message: expect.stringContaining('the most there may be') };
const draft = async () => {
  const customer = await createCustomer(call(), { name: 'Blue Heron' });
  return createInvoice(call(), { customer_id: customer.id, items: [{ description: 'x', unit_price: 10 }] });
};
const streamOf = (id: string): string => invoices.stream({ account, env, id });
const applyOutcome = (id: string, name: string, data: object) =>
  invoiceProcess.applyOutcome(context, outcomeEvent({ id: ids.next(), account, subject: id }, name, data));

test('an invoice accepts nine hundred revisions; afterwards it can still be submitted or voided', async () => {
  const { id } = await draft();
  const most = MOST_EVENTS - KEPT_FOR_OUTCOMES;
  await fill(streamOf(id), 'InvoiceRevised', { changes: {} }, most - 1);
  const identity = callerOf(system, account);
  const last = await reviseInvoice({ context, identity }, { ...named(id), body: { notes: 'last' } });
  expect(last).toMatchObject({ version: most, notes: 'last' });
  await expect(reviseInvoice(call(), { ...named(id), body: { notes: 'more' } })).rejects.toMatchObject(full);
  expect(await reviseInvoice({ context, identity }, { ...named(id), body: { notes: 'last' } })).toEqual(last);
  expect(await invoiceProcess.void(call(), { ...named(id), reason: 'entered twice' })).toMatchObject({ status: 'voided' });
});

test('commands of callers add at most a thousand events to an invoice', async () => {
  const { id } = await draft();
  await fill(streamOf(id), 'InvoiceRevised', { changes: {} });
  await expect(submitInvoice(call(), { ...named(id), lateReason: null })).rejects.toMatchObject(full);
  await expect(invoiceProcess.void(call(), { ...named(id), reason: 'entered twice' })).rejects.toMatchObject(full);
  await expect(invoiceProcess.void(call(), { id, ifMatch: ['3'], reason: 'entered twice' })).rejects.toMatchObject({
    code: 'version_conflict',
  });
});

test('outcomes of the authority are still applied to a full invoice', async () => {
  const { id } = await draft();
  await submitInvoice(call(), { ...named(id), lateReason: null });
  await fill(streamOf(id), 'InvoiceRevised', { changes: {} });
  await applyOutcome(id, 'document-registered', registration);
  expect(await invoices.read(call(), id)).toMatchObject({ status: 'submitted', version: MOST_EVENTS + 1 });
});

test("a void requested before the limit ends with the authority's outcome", async () => {
  const { id } = await draft();
  await submitInvoice(call(), { ...named(id), lateReason: null });
  await applyOutcome(id, 'document-registered', registration);
  const { version } = await invoiceProcess.void(call(), { ...named(id), reason: 'entered twice' });
  await fill(streamOf(id), 'InvoiceRevised', { changes: {} });
  await applyOutcome(id, 'cancellation-refused', voidRefusal(version));
  expect((await invoices.read(call(), id)).status).toBe('submitted');
});

test('every payment of an invoice can be reversed, whatever else changed it, and then it can be voided', async () => {
  const { id } = await draft();
  await submitInvoice(call(), { ...named(id), lateReason: null });
  await applyOutcome(id, 'document-registered', registration);
  const pay = () => recordPayment(call(), { ...named(id), body: { amount: '0.01', paid_at: '2026-01-16' } });
  const payments = [await pay(), await pay(), await pay()];
  await fill(streamOf(id), 'InvoiceRevised', { changes: {} }, MOST_EVENTS - KEPT_FOR_OUTCOMES - payments.length);
  await expect(pay()).rejects.toMatchObject(full);
  await expect(reviseInvoice(call(), { ...named(id), body: { metadata: { a: 'b' } } })).rejects.toMatchObject(full);
  for (const { id: payment } of payments) await reversePayment(call(), { ...named(id), payment });
  expect(await invoices.read(call(), id)).toMatchObject({ amount_paid: 0, version: MOST_EVENTS - KEPT_FOR_OUTCOMES });
  expect(await invoiceProcess.void(call(), { ...named(id), reason: 'entered twice' })).toMatchObject({ status: 'voiding' });
});

test('a receipt has the same limit', async () => {
  const receipt = await createReceipt(call(), { items: [{ description: 'Coffee', unit_price: 12 }], payment_method: 'cash' });
  const delay = { round: 1, status: 'unknown', error: null, next_attempt_at: null, attempts: 1, last_attempt_at: at };
  await fill(receipts.stream({ account, env, id: receipt.id }), 'ReceiptDelayed', delay);
  await expect(receiptProcess.void(call(), { ...named(receipt.id), reason: 'wrong till' })).rejects.toMatchObject(full);
});

describe('resources without a limit', () => {
  /** Another process with empty caches, which counts the events it reads. */
  function fresh() {
    const read = { events: 0 };
    const count = (events: Recorded[]): Recorded[] => {
      read.events += events.length;
      return events;
    };
    const counted = {
      ...store,
      read: async (...asked: Parameters<typeof store.read>) => count(await store.read(...asked)),
      tail: async (...asked: Parameters<typeof store.tail>) => count(await store.tail(...asked)),
    };
    const parts = { store: counted, ids };
    return {
      read,
      customers: createCustomers(parts),
      issuers: createIssuers(parts),
      call: { context, identity: callerOf(system, account) },
    };
  }

  test('a customer can change any number of times and is read from its last event', async () => {
    const customer = await createCustomer(call(), { name: 'Ada', metadata: { a: '1' } });
    const stream = customerStream(account, env, customer.id);
    const { updated_at: _, ...whole } = (await customers.current(account, env, customer.id)).state;
    await fill(stream, 'CustomerUpdated', { ...whole, language: 'de' });
    expect(await updateCustomer(call(), { ...named(customer.id), body: { name: 'Bea' } })).toMatchObject({ version: MOST_EVENTS + 1 });
    for (let n = 0; n < 200; n += 1) await updateCustomer(call(), { ...named(customer.id), body: { phone: String(n) } });
    const { read, customers: elsewhere } = fresh();
    const { state, revision } = await elsewhere.current(account, env, customer.id);
    expect(state).toMatchObject({ personal: { name: 'Bea', phone: '199' }, language: 'de', metadata: { a: '1' } });
    expect([revision, read.events]).toEqual([BigInt(MOST_EVENTS + 200), 64]);
    expect(await deleteCustomer(call(), named(customer.id))).toMatchObject({ name: 'Bea', deleted_at: expect.any(String) });
    expect((await fresh().customers.current(account, env, customer.id)).state).toMatchObject({ personal: { name: 'Bea' }, language: 'de' });
  });

  test('an issuer can change any number of times and is read from its last event', async () => {
    await updateIssuer(call(), { ifMatch: undefined, patch: { legal_name: 'Heron SL', trade_name: 'Heron' } });
    const { updated_at: _, ...whole } = (await issuers.current(account, env)).state;
    await fill(issuerStream(account, env), 'IssuerUpdated', whole);
    for (let n = 0; n < 100; n += 1) await updateIssuer(call(), { ifMatch: undefined, patch: { legal_name: `Egret ${n}` } });
    const { read, issuers: elsewhere } = fresh();
    const { state, version } = await elsewhere.current(account, env);
    expect([state.legal_name, state.trade_name, version, read.events]).toEqual(['Egret 99', 'Heron', MOST_EVENTS + 100, 64]);
  });

  test('a repeated change is recognized by another process and reverts nothing', async () => {
    const customer = await createCustomer(call(), { name: 'Ada' });
    const { call: first } = fresh();
    await updateCustomer({ ...first, customers }, { ...named(customer.id), body: { name: 'Bea' } });
    for (let n = 0; n < 48; n += 1) await updateCustomer(call(), { ...named(customer.id), body: { name: `Cleo ${n}` } });
    const { customers: elsewhere } = fresh();
    const repeated = await updateCustomer({ ...first, customers: elsewhere }, { ...named(customer.id), body: { name: 'Bea' } });
    expect(repeated).toMatchObject({ name: 'Cleo 47', version: 50 });
  });

  test('the relay publishes a change without reading earlier events', async () => {
    const customer = await createCustomer(call(), { name: 'Ada' });
    const stream = customerStream(account, env, customer.id);
    for (let n = 0; n < 3; n += 1) await updateCustomer(call(), { ...named(customer.id), body: { phone: String(n) } });
    const published: PublicEvent[] = [];
    const relay = createRelay({
      source: 'invoicing',
      store: { read: () => Promise.reject(new Error('reads what was before')) },
      publishers: [customerPublisher],
      deadLetters: deadLettersIn(system.documents),
      publish: async (_, events) => void published.push(...events),
    });
    await relay(await store.tail(stream, 1));
    expect(published).toMatchObject([
      { subject: customer.id, sequence: 4, data: { name: 'Ada', phone: '2', created_at: customer.created_at } },
    ]);
  });
});
