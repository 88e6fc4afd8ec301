import type { ItemInput } from '@svc/contracts/document/line';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import { createRelay } from '@svc/event-bus/publishing/relay';
import { deadLettersIn } from '@svc/event-bus/testing/dead-letters';
import { jsonBytes, DomainError, streamOf } from '@svc/kernel';
import { until } from '@svc/kernel/testing/until';
import { createCustomer } from './customer/write.ts';
import { createInvoice, invoicePublisher } from './invoice/invoices.ts';
import { reviseInvoice, submitInvoice } from './invoice/write.ts';
import { invoiceProcess } from './invoice/process.ts';
import { updateIssuer } from './issuer/update.ts';
import { outcomeEvent, registration } from './document/testing/outcomes.ts';
import { openShop } from './testing/shop.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { createReceipt } from './receipt/write.ts';
import { receiptPublisher } from './receipt/receipts.ts';

/** The limits of an EventStoreDB append and of a Kafka message. */
const ONE_MIB = 1_048_576;
const KiB = 1_024;

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const { context, customers, issuers, store, ids } = system;
const account = `acct_${ids.next()}`;
const env = 'test' as const;
const call = () => ({ context, customers, issuers, identity: callerOf(system, account) });

/** The longest text of this many characters, in bytes: four for each. */
const text = (length: number): string => '𝄞'.repeat(length);
const address = { line1: text(255), line2: text(255), city: text(255), postal_code: text(40), region: text(255), country: 'AQ' };

let customer_id: string;
beforeAll(async () => {
  const issuer = { legal_name: text(255), trade_name: text(255), tax_id: text(50), address, software_code: text(40) };
  const operators = [{ code: text(40), name: text(255) }];
  await updateIssuer(call(), { ifMatch: undefined, patch: { ...issuer, operators, metadata: { a: text(500) } } });
  // As many units as an issuer can have.
  for (let count = 1; ; count += 1) {
    const units = Array.from({ length: count }, (_, n) => ({ code: `${n}${text(38)}`, address, devices: [text(40), 'second'] }));
    const refused = await updateIssuer(call(), { ifMatch: undefined, patch: { units } }).catch((error: unknown) => error);
    if (refused instanceof DomainError) break;
  }
  const tax_ids = Array.from({ length: 10 }, () => ({ country: 'AQ', value: text(50), kind: 'passport' as const }));
  const email = `${text(120)}@${text(120)}`;
  customer_id = (
    await createCustomer(call(), {
      name: text(255),
      email,
      phone: text(50),
      tax_id: text(50),
      tax_ids,
      address: { ...address, country: null },
    })
  ).id;
});

interface Shape {
  lines: number;
  taxes: number;
  /** Length of every description, reason and exemption_reason. */
  length: number;
  adjustments: number;
}
const itemsOf = ({ lines, taxes, length, adjustments }: Shape): ItemInput[] =>
  Array.from({ length: lines }, (_, n) => ({
    description: text(Math.min(length, 2_000)) || '-',
    quantity: '999999999999.12345678',
    unit_price: '0.00000001',
    taxes: Array.from({ length: taxes }, (_tax, at) => ({
      category: `T${String(n).padStart(9, '0')}${String(at).padStart(10, '0')}`,
      rate: '0.123456',
      exemption_reason: text(Math.min(length, 255)) || null,
    })),
    discounts: Array.from({ length: adjustments }, () => ({ percent: '0.000001', reason: text(Math.min(length, 255)) || null })),
  }));

const shapes: Shape[] = [1, 60, 140, 500].flatMap((lines) =>
  [0, 2, 10].flatMap((taxes) =>
    [40, 255, 2_000].flatMap((length) => [0, 20].map((adjustments) => ({ lines, taxes, length, adjustments }))),
  ),
);

/** undefined: rejected, with an error for `items`. */
async function made<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, Object.keys(error.details ?? {})]).toEqual(['validation_error', ['items']]);
    return undefined;
  }
}

const published: PublicEvent[] = [];
const relay = createRelay({
  source: 'invoicing',
  store,
  deadLetters: deadLettersIn(system.documents),
  publishers: [invoicePublisher, receiptPublisher],
  publish: async (_, events) => void published.push(...events),
});
/** The public events of everything stored since. */
async function publishedSince(position: bigint): Promise<PublicEvent[]> {
  published.length = 0;
  const stop = store.subscribe(position, async ({ events }) => relay(events));
  const head = await store.head();
  await until(async () => (await store.head()) !== head || published.length > 0);
  await stop();
  return published;
}
const numbersTaken = async (code: string): Promise<number> => {
  const year = new Date().getUTCFullYear();
  return (await store.read(streamOf('series', env, account, `${code}.${year}`))).length;
};

test('the issuer of these tests is near its limit', async () => {
  const { state } = await issuers.current(account, env);
  expect(jsonBytes(state)).toBeGreaterThan(55 * KiB);
});

test('an invoice is rejected on creation or can be published completely; a rejected one uses no number', async () => {
  let submitted = 0;
  let largest = 0;
  const largestPublished = { bytes: 0 };
  for (const shape of shapes) {
    const before = await store.head();
    const draft = await made(createInvoice(call(), { customer_id, items: itemsOf(shape), notes: text(2_000) } as CreateInvoice));
    if (!draft) continue;
    const done = await submitInvoice(call(), { id: draft.id, ifMatch: undefined, lateReason: null });
    submitted += 1;
    largest = Math.max(largest, jsonBytes(done));
    expect(done).toMatchObject({ status: 'submitting', issuer: { units: [{ devices: [text(40)] }], operators: [{ code: text(40) }] } });
    const events = await publishedSince(before);
    expect(events.map(({ type }) => type)).toContain('invoicing.registration-requested.v1');
    for (const event of events) largestPublished.bytes = Math.max(largestPublished.bytes, jsonBytes(event));
  }
  expect(await numbersTaken('INV')).toBe(submitted);
  expect(submitted).toBeGreaterThan(10);
  expect(submitted).toBeLessThan(shapes.length);
  expect(largest).toBeGreaterThan(400 * KiB);
  expect(largest).toBeLessThanOrEqual(640 * KiB);
  expect(largestPublished.bytes).toBeLessThan(ONE_MIB - 100 * KiB);
});

test('a receipt is rejected on creation or can be published completely', async () => {
  let issued = 0;
  for (const shape of shapes) {
    const before = await store.head();
    const body = { items: itemsOf(shape), prices_include_tax: false, payment_method: 'cash' as const, customer_id, notes: text(2_000) };
    const receipt = await made(createReceipt(call(), body));
    if (!receipt) continue;
    issued += 1;
    expect(jsonBytes(receipt)).toBeLessThanOrEqual(640 * KiB);
    for (const event of await publishedSince(before)) expect(jsonBytes(event)).toBeLessThan(ONE_MIB - 100 * KiB);
  }
  expect(await numbersTaken('RCP')).toBe(issued);
  expect(issued).toBeGreaterThan(10);
  expect(issued).toBeLessThan(shapes.length);
});

test('a change has the limits of a new document, and a rejected change alters nothing', async () => {
  const draft = await createInvoice(call(), { customer_id, items: [{ description: 'x', unit_price: 1 }] });
  const named = { id: draft.id, ifMatch: undefined };
  const tooMuch = itemsOf({ lines: 500, taxes: 2, length: 255, adjustments: 0 });
  await expect(reviseInvoice(call(), { ...named, body: { items: tooMuch } })).rejects.toMatchObject({
    details: { items: [expect.any(String)] },
  });
  const much = itemsOf({ lines: 190, taxes: 1, length: 440, adjustments: 0 });
  const { version } = await reviseInvoice(call(), { ...named, body: { items: much } });
  expect(version).toBe(2);
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key ${n}`, text(500)]));
  const notes = reviseInvoice(call(), { ...named, body: { metadata } });
  await expect(notes).rejects.toMatchObject({ code: 'validation_error', details: { metadata: [expect.stringContaining('640 KiB')] } });
});

test('a document has at most a thousand rows of tax breakdown and a thousand taxes on its lines', async () => {
  const create = (items: ItemInput[], more: Partial<CreateInvoice> = {}) =>
    createInvoice(call(), { customer_id, items, ...more } as CreateInvoice);
  const plain = { length: 0, adjustments: 0 };
  const thousand = await create(itemsOf({ lines: 500, taxes: 2, ...plain }));
  expect(thousand.tax_breakdown).toHaveLength(1_000);
  const tooMany = { code: 'validation_error', details: { items: [expect.stringContaining('at most 1000')] } };
  await expect(
    create([...itemsOf({ lines: 499, taxes: 2, ...plain }), ...itemsOf({ lines: 1, taxes: 3, ...plain })]),
  ).rejects.toMatchObject(tooMany);
  const charges = [{ amount: 1, taxes: [{ category: 'OWN', rate: 1 }] }];
  await expect(create(itemsOf({ lines: 500, taxes: 2, ...plain }), { charges })).rejects.toMatchObject(tooMany);
});

test("the total size of a document's changes is limited, so that reading it stays fast; at the limit it can still be submitted", async () => {
  const { id } = await createInvoice(call(), { customer_id, items: [{ description: 'x', unit_price: 1 }] });
  const much = (n: number) => [...itemsOf({ lines: 140, taxes: 1, length: 400, adjustments: 0 }), { description: `${n}`, unit_price: n }];
  let changes = 0;
  const change = async (): Promise<void> => {
    for (; changes < 100; changes += 1) await reviseInvoice(call(), { id, ifMatch: undefined, body: { items: much(changes) } });
  };
  await expect(change()).rejects.toMatchObject({ code: 'invalid_state', message: expect.stringContaining('4 MiB') });
  expect(changes).toBeGreaterThan(7);
  const stored = await store.read(streamOf('invoice', env, account, id));
  expect(stored.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(5 * 1_048_576);
  expect(await submitInvoice(call(), { id, ifMatch: undefined, lateReason: null })).toMatchObject({ status: 'submitting' });
});

test('whatever was issued where authorities annul nothing can be voided: its corrective, with signs, can be published completely', async () => {
  const shop = await openShop(system, { country: 'AL', currency: 'EUR' });
  let [largest, voided] = [0, 0];
  for (const shape of shapes) {
    const issued = await made(shop.invoice({ items: itemsOf(shape), notes: text(2_000) } as CreateInvoice));
    if (!issued) continue;
    const { id } = issued;
    await invoiceProcess.applyOutcome(
      context,
      outcomeEvent({ id: ids.next(), account: shop.account, subject: id }, 'document-registered', registration),
    );
    const before = await store.head();
    const { void: request } = await invoiceProcess.void(shop.call(), { id, ifMatch: undefined, reason: 'Wrong customer' });
    const events = await publishedSince(before);
    expect(events.map(({ type, subject }) => `${subject} ${type}`)).toContain(
      `${request?.document_id} invoicing.registration-requested.v1`,
    );
    for (const event of events) largest = Math.max(largest, jsonBytes(event));
    voided += 1;
  }
  expect(voided).toBeGreaterThan(10);
  expect([largest > 400 * KiB, largest < ONE_MIB - 100 * KiB]).toEqual([true, true]);
});
