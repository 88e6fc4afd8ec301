import type { PublicEvent } from '@svc/contracts/events/envelope';
import { createRelay } from '@svc/event-bus/publishing/relay';
import { eventTooLarge, MAX_EVENT_BYTES } from '@svc/event-bus/size';
import { lettersIn } from '@svc/event-bus/testing/letters';
import { jsonBytes, prefixed, type Recorded, streamOf } from '@svc/kernel';
import { createCustomer } from './customer/write.ts';
import type { InvoiceEvent } from './invoice/domain/events.ts';
import { evolve } from './invoice/domain/evolve.ts';
import { outcomeEvent, registration, rejection } from './document/testing/outcomes.ts';
import { MOST_PUBLISHED_BYTES } from './document/bounded.ts';
import { invoicePublisher, invoices } from './invoice/invoices.ts';
import { invoiceResource } from './invoice/resource.ts';
import { reviseInvoice } from './invoice/revise.ts';
import { submitInvoice } from './invoice/submit.ts';
import { updateIssuer } from './issuer/update.ts';
import { callerOf, dataFolder, openSystem } from './testing/open-system.ts';
import { receiptPublisher, receipts } from './receipt/receipts.ts';
import { resubmitReceipt } from './receipt/resubmit.ts';
import { itemsOf } from './totals/line.ts';
import { totalsOf } from './totals/totals.ts';

// Documents as the previous release (265777a) stored them, without limits of size and taxes.

const KiB = 1_024;
const LINES = 500;

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

let customer_id: string;
beforeAll(async () => {
  await updateIssuer(call(), { ifMatch: undefined, patch: { legal_name: 'Blue Heron' } });
  customer_id = (await createCustomer(call(), { name: 'Jo' })).id;
});

/** Lines with three different taxes each. `length`: of every description. */
const linesOf = (length: number, lines = LINES, taxes = 3) =>
  Array.from({ length: lines }, (_, n) => ({
    description: 'x'.repeat(length),
    unit_price: 1,
    taxes: Array.from({ length: taxes }, (_tax, at) => ({ category: `T${n}_${at}`, rate: 1 })),
  }));

const blank = { discounts: [], charges: [], currency: 'EUR', prices_include_tax: false, rounding: 'line' as const, notes: 'note' };
function contentOf(length: number) {
  const items = itemsOf(linesOf(length), '0');
  const written = { ...blank, customer_id, items, metadata: { a: 'b'.repeat(500) } };
  return { written, totals: totalsOf({ ...written, decimals: 2 }) };
}
const drafted = (id: string, length: number, metadata?: Record<string, string>): Extract<InvoiceEvent, { type: 'InvoiceDrafted' }> => {
  const { written, totals } = contentOf(length);
  const more = { type: 'standard' as const, series: 'INV', issue_date: null, due_date: null, corrects: null };
  return {
    type: 'InvoiceDrafted',
    data: { at, id, livemode: false, content: { ...written, ...more, ...(metadata && { metadata }) }, totals },
  };
};
const sizeOf = (length: number): number => {
  const state = evolve(null, drafted('inv_01jh2k3m4n5p6q7r8s9t0v1w2x', length));
  return state ? jsonBytes(invoiceResource(state, 1)) : 0;
};
/** Length of a description that makes the resource about this large. */
const lengthFor = (bytes: number): number => Math.floor((bytes - sizeOf(0)) / LINES);

const frozenIssuer = async (units: number) => {
  const { id, legal_name, trade_name, tax_id, vat_registered, address, country, currency, time_zone, language } = (
    await issuers.current(account, env)
  ).state;
  const text = 'u'.repeat(255);
  const place = { line1: text, line2: text, city: text, postal_code: null, region: text, country: 'FR' };
  return {
    ...{ id, legal_name, trade_name, tax_id, vat_registered, address, country, currency, time_zone, language },
    units: Array.from({ length: units }, (_, n) => ({ code: `${n}`, address: place, devices: [] })),
    ...{ operators: [], software_code: null, authority: 'sandbox' as const },
  };
};
const customer = () => ({ id: customer_id, name: 'Jo', email: null, phone: null, tax_id: null, language: null, address: null });
const append = (stream: string, events: { type: string; data: object }[]) =>
  store.append(
    stream,
    'none',
    events.map(({ type, data }) => ({ id: ids.next(), type, data, metadata: { v: 1, account, env } })),
  );

async function storedDraft(bytes: number): Promise<string> {
  const id = prefixed('inv', ids.next());
  await append(invoices.stream({ account, env, id }), [drafted(id, lengthFor(bytes))]);
  return id;
}
/** A submitted invoice with a number and this many units of the issuer. */
async function storedSubmitting(bytes: number, units: number, metadata?: Record<string, string>): Promise<string> {
  const id = prefixed('inv', ids.next());
  const stream = `series-${env}.${account}.OLD.2026`;
  const numbering = { stream, seen: 'none', series: 'OLD', format: '{seq}', year: '2026', unit: null, device: null, first: 1 };
  const parties = { issuer: await frozenIssuer(units), customer: customer() };
  const requested = { at, numbering: { ...numbering, issue_date: null, time_zone: 'UTC' }, parties, late_reason: null };
  const number = { at, number: 'OLD-1', seq: 1, issued_at: at, issue_date: '2026-01-16' };
  const stream_ = invoices.stream({ account, env, id });
  await append(stream_, [drafted(id, lengthFor(bytes - jsonBytes(metadata ?? {})), metadata)]);
  const rest = [
    { type: 'InvoiceSubmissionRequested', data: requested },
    { type: 'InvoiceNumbered', data: number },
  ];
  await store.append(
    stream_,
    0n,
    rest.map(({ type, data }) => ({ id: ids.next(), type, data, metadata: { v: 1, account, env } })),
  );
  return id;
}
const applyOutcome = (subject: string, name: string, data: object) =>
  (subject.startsWith('rcp') ? receipts.applyOutcome : invoices.applyOutcome)(
    context,
    outcomeEvent({ id: ids.next(), account, subject }, name, data),
  );

const eventsOf = (id: string): Promise<Recorded[]> => store.read(invoices.stream({ account, env, id }));
const numbersTaken = async (code: string): Promise<number> =>
  (await store.read(streamOf('series', env, account, `${code}.${new Date().getUTCFullYear()}`))).length;

/** The public events of everything stored since. */
async function publishedSince(position: bigint): Promise<PublicEvent[]> {
  const published: PublicEvent[] = [];
  const relay = createRelay({
    source: 'invoicing',
    store,
    letters: lettersIn(system.documents),
    publishers: [invoicePublisher, receiptPublisher],
    publish: async (_, events) => void published.push(...events),
  });
  const head = await store.head();
  const seen = Promise.withResolvers<void>();
  const stop = store.subscribe(position, async ({ events, position: at }) => {
    await relay(events);
    if (at >= head) seen.resolve();
  });
  await seen.promise;
  await stop();
  return published;
}
const refused = (field: string, message: string) => ({
  code: 'validation_error',
  details: { [field]: [expect.stringContaining(message)] },
});

describe('a draft of 800 KiB with 1,500 taxes', () => {
  const LENGTH = () => lengthFor(800 * KiB);

  test('can change without growing', async () => {
    const id = await storedDraft(800 * KiB);
    const revise = (body: object) => reviseInvoice(call(), { ...named(id), body });
    expect(await revise({ notes: 'nota' })).toMatchObject({ version: 2, notes: 'nota' });
    await expect(revise({ notes: 'noted' })).rejects.toMatchObject(refused('notes', '640 KiB'));
    await expect(revise({ items: linesOf(LENGTH() + 1) })).rejects.toMatchObject(refused('items', '640 KiB'));
    await expect(revise({ items: linesOf(0, LINES, 4) })).rejects.toMatchObject(refused('items', '2000 taxes'));
    expect((await revise({ items: linesOf(LENGTH() - 10) })).tax_breakdown).toHaveLength(1_500);
    expect((await revise({ items: linesOf(0, LINES - 1) })).tax_breakdown).toHaveLength(1_497);
    await expect(revise({ items: linesOf(0) })).rejects.toMatchObject(refused('items', '1500 taxes'));
    expect(await eventsOf(id)).toHaveLength(4);
  });

  test('is submitted, and all its public events fit the bus', async () => {
    const id = await storedDraft(800 * KiB);
    const before = await store.head();
    expect(await submitInvoice(call(), { ...named(id), lateReason: null })).toMatchObject({ status: 'submitting' });
    const published = await publishedSince(before);
    expect(published.map(({ type }) => type)).toContain('invoicing.registration-requested.v1');
    expect(published.map(eventTooLarge)).toEqual(published.map(() => undefined));
  });

  test('is voided', async () => {
    const id = await storedDraft(800 * KiB);
    expect(await invoices.void(call(), { ...named(id), reason: null })).toMatchObject({ status: 'voided' });
  });
});

test('a rejected invoice of 750 KiB, stored with 60 units, shrinks, is submitted again under its number, and is voided', async () => {
  const id = await storedSubmitting(750 * KiB, 60);
  await applyOutcome(id, 'document-rejected', rejection('setup'));
  expect(await reviseInvoice(call(), { ...named(id), body: { metadata: { a: 'c'.repeat(400) } } })).toMatchObject({ status: 'failed' });
  await updateIssuer(call(), { ifMatch: undefined, patch: { legal_name: 'Blue Heron of the Northern Marshes' } });
  const before = await store.head();
  expect(await submitInvoice(call(), { ...named(id), lateReason: null })).toMatchObject({ status: 'submitting', number: 'OLD-1' });
  await applyOutcome(id, 'document-registered', { ...registration, round: 2 });
  expect(await invoices.void(call(), { ...named(id), reason: 'entered twice' })).toMatchObject({ status: 'voiding' });
  const published = await publishedSince(before);
  expect(published.map(({ type }) => type)).toContain('invoicing.cancellation-requested.v1');
  expect(published.map(eventTooLarge)).toEqual(published.map(() => undefined));
});

test('a draft whose registration does not fit the bus is rejected before a number is taken, and accepted once it is smaller', async () => {
  const id = await storedDraft(988 * KiB);
  const taken = await numbersTaken('INV');
  const units = [{ code: 'U', address: { line1: 'u'.repeat(255), line2: 'u'.repeat(255), city: 'u'.repeat(255), country: 'FR' } }];
  await updateIssuer(call(), { ifMatch: undefined, patch: { address: { line1: 'u'.repeat(255), line2: 'v'.repeat(255) }, units } });
  const submit = () => submitInvoice(call(), { ...named(id), lateReason: null });
  await expect(submit()).rejects.toMatchObject(refused('items', 'can be published'));
  expect([await numbersTaken('INV'), (await eventsOf(id)).length]).toEqual([taken, 1]);
  await reviseInvoice(call(), { ...named(id), body: { items: linesOf(lengthFor(900 * KiB), LINES - 100) } });
  expect(await submit()).toMatchObject({ status: 'submitting' });
});

describe('a document that can no longer be made smaller', () => {
  /** Bytes of the largest event that its envelope and additions to the resource may take. */
  const SPARE = 16 * KiB;
  const issuerBytes = async (units: number): Promise<number> => jsonBytes(await frozenIssuer(units));
  /** Bytes of a draft whose cancellation, as an invoice with this many units, just fits the bus. */
  const fitting = async (units: number): Promise<number> =>
    MAX_EVENT_BYTES - SPARE - 2 * (await issuerBytes(units)) - jsonBytes(customer());
  const fits = async (before: bigint, ...types: string[]): Promise<void> => {
    const published = await publishedSince(before);
    expect(published.map(({ type }) => type)).toEqual(expect.arrayContaining(types));
    expect(published.map(eventTooLarge)).toEqual(published.map(() => undefined));
  };

  test('is voided after registration where request and completion just fit the bus', async () => {
    const id = await storedSubmitting(await fitting(20), 20);
    await applyOutcome(id, 'document-registered', registration);
    const before = await store.head();
    expect(await invoices.void(call(), { ...named(id), reason: 'entered twice' })).toMatchObject({ status: 'voiding' });
    await applyOutcome(id, 'document-cancelled', { cancelled_at: at, cancellation: 5 });
    expect((await eventsOf(id)).at(-1)?.type).toBe('InvoiceVoided');
    await fits(before, 'invoicing.cancellation-requested.v1', 'invoicing.invoice-voided.v1');
  });

  test('is voided after rejection where the completion just fits the bus', async () => {
    const id = await storedSubmitting((await fitting(20)) + (await issuerBytes(20)), 20);
    await applyOutcome(id, 'document-rejected', rejection('data'));
    const before = await store.head();
    expect(await invoices.void(call(), { ...named(id), reason: 'entered twice' })).toMatchObject({ status: 'voided' });
    await fits(before, 'invoicing.invoice-voided.v1');
  });

  test('must lose metadata where that is enough, and is voided afterwards', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, 'm'.repeat(500)]));
    const id = await storedSubmitting((await fitting(20)) + 10 * KiB, 20, metadata);
    await applyOutcome(id, 'document-registered', registration);
    const asked = { ...named(id), reason: 'entered twice' };
    await expect(invoices.void(call(), asked)).rejects.toMatchObject(refused('metadata', 'take away metadata'));
    await reviseInvoice(call(), { ...named(id), body: { metadata: Object.fromEntries(Object.keys(metadata).map((key) => [key, null])) } });
    expect(await invoices.void(call(), asked)).toMatchObject({ status: 'voiding' });
  });

  test('applies outcomes even where they do not fit; requests of callers are rejected without naming a field, and store nothing', async () => {
    const id = await storedSubmitting(880 * KiB, 160);
    await applyOutcome(id, 'document-registered', registration);
    expect((await eventsOf(id)).at(-1)?.type).toBe('InvoiceRegistered');
    const fixed = { code: 'invalid_state', message: expect.stringContaining('earlier release'), details: undefined };
    await expect(invoices.void(call(), { ...named(id), reason: 'entered twice' })).rejects.toMatchObject(fixed);
    await expect(reviseInvoice(call(), { ...named(id), body: { metadata: { a: null } } })).rejects.toMatchObject(fixed);
    expect(await eventsOf(id)).toHaveLength(4);
  });

  test('is submitted again and voided as a receipt where that just fits the bus', async () => {
    const own = MAX_EVENT_BYTES - SPARE - 2 * (await issuerBytes(20));
    const again = await storedReceipt(own + (await issuerBytes(20)), 20, [rejected('setup')]);
    const before = await store.head();
    expect(await resubmitReceipt(call(), named(again))).toMatchObject({ fiscal: { status: 'pending' } });
    const registered = await storedReceipt(own, 20, []);
    expect(await receipts.void(call(), { ...named(registered), reason: 'entered twice' })).toMatchObject({ status: 'voiding' });
    await applyOutcome(registered, 'document-registered', registration);
    await fits(before, 'invoicing.registration-requested.v1', 'invoicing.cancellation-requested.v1');
  });

  test('applies a rejection to a receipt whose void is requested, which voids it; a void request that does not fit is rejected without naming a field', async () => {
    const own = MOST_PUBLISHED_BYTES + KiB - (await issuerBytes(160));
    const id = await storedReceipt(own, 160, [{ type: 'ReceiptVoidRequested', data: { at, reason: 'entered twice' } }]);
    await applyOutcome(id, 'document-rejected', rejection('data'));
    const events = await store.read(receipts.stream({ account, env, id }));
    expect(events.map(({ type }) => type).slice(2)).toEqual(['ReceiptRejected', 'ReceiptVoided']);
    const open = await storedReceipt(own, 160, []);
    await expect(receipts.void(call(), { ...named(open), reason: 'entered twice' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('earlier release'),
      details: undefined,
    });
  });
});

const rejected = (fixable: string) => ({ type: 'ReceiptRejected', data: { at, ...rejection(fixable), attempts: 1, last_attempt_at: at } });
/** An issued receipt with this many units of the issuer, and the events after it. */
async function storedReceipt(bytes: number, units: number, events: { type: string; data: object }[]): Promise<string> {
  const { written, totals } = contentOf(lengthFor(bytes));
  const { discounts, charges, ...rest } = written;
  const place = { unit: null, device: null, operator: null };
  const content = { ...rest, discounts, charges, series: 'RCP', ...place, payment_method: 'cash', payments: [] };
  const parties = { issuer: await frozenIssuer(units), customer: null };
  const id = prefixed('rcp', ids.next());
  const facts = { id, livemode: false, created_at: at, content, totals, parties };
  const number = { number: 'R-1', seq: 1, issued_at: at, issue_date: '2026-01-16' };
  const stream = receipts.stream({ account, env, id });
  await append(stream, [{ type: 'ReceiptIssued', data: { at, ...facts, ...number } }]);
  for (const [n, event] of events.entries())
    await store.append(stream, BigInt(n), [{ ...event, id: ids.next(), metadata: { v: 1, account, env } }]);
  return id;
}

test('a rejected receipt of 800 KiB is submitted again and voided', async () => {
  const setup = await storedReceipt(800 * KiB, 20, [rejected('setup')]);
  expect(await resubmitReceipt(call(), named(setup))).toMatchObject({ fiscal: { status: 'pending' } });
  const data = await storedReceipt(800 * KiB, 20, [rejected('data')]);
  expect(await receipts.void(call(), { ...named(data), reason: 'entered twice' })).toMatchObject({ status: 'voided' });
});
