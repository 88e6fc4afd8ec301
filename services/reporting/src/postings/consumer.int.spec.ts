import type { PublicEvent } from '@svc/contracts/events/envelope';
import { startReportingApp } from '../testing/reporting-app.ts';
import { invoiceEvent, invoiceId, receiptEvent, registered, voidedAt } from '../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>;
beforeEach(async () => (app = await startReportingApp()));
afterEach(() => app.close());

const all = () => Array.fromAsync(app.ledger.postings.find({}));
const changes = async () => (await all()).map(({ _id, change }) => `${_id.split(':')[1]} ${change}`).sort();
const held = () => app.ledger.held.count({});
const pending = { ...registered, status: 'pending' };

/** An invoice's events: draft, number, registration, payment and its reversal, void. */
const payment = { id: 'pay_1', amount: 20, paid_at: '2026-01-12' };
const life: PublicEvent[] = [
  invoiceEvent(1, { status: 'draft', fiscal: null, number: null, issue_date: null }, { sequence: 1, entry: { type: 'created' } }),
  invoiceEvent(
    1,
    { status: 'submitting', fiscal: pending },
    { sequence: 2, entry: { type: 'numbered', numbered: { seq: 1, series_key: 'INV.2026' } } },
  ),
  invoiceEvent(1, {}, { sequence: 3, entry: { type: 'registered' } }),
  invoiceEvent(1, { amount_paid: 20 }, { sequence: 4, entry: { type: 'payment_recorded', payment } }),
  invoiceEvent(1, {}, { sequence: 5, entry: { type: 'payment_reversed', payment } }),
  invoiceEvent(1, { status: 'voided', void: voidedAt('2026-01-20T10:00:00.000Z') }, { sequence: 6, entry: { type: 'voided' } }),
];
const rows = ['0002 numbered', '0003 registered', '0004 paid', '0005 reversed', '0006 voided'];

test('makes a posting per dated change; of a draft nothing is stored', async () => {
  await app.publish(...life.slice(0, 1));
  expect([await all(), await app.ledger.known.count({}), await held()]).toEqual([[], 0, 0]);
  await app.publish(...life.slice(1));
  expect(await changes()).toEqual(rows);
});

test.each([
  ['one by one', (events: PublicEvent[]) => app.publish(...events)],
  ['in one batch', (events: PublicEvent[]) => app.publishBatch(events)],
])('repeated and older events change nothing, published %s', async (_how, publish) => {
  await publish(life);
  const before = await all();
  await publish([...life, ...life.toReversed()]);
  expect(await all()).toEqual(before);
  expect(await held()).toBe(0);
});

test.each([
  ['one by one', (events: PublicEvent[]) => app.publish(...events)],
  ['in one batch', (events: PublicEvent[]) => app.publishBatch(events)],
])('events in any order make the same postings, published %s', async (_how, publish) => {
  await publish(life.toReversed());
  const made = async () => (await all()).map(({ stored: _, ...posting }) => posting);
  const reversed = await made();
  expect([await changes(), await held()]).toEqual([rows, 0]);
  await app.close();
  app = await startReportingApp();
  await publish(life);
  expect(reversed).toEqual(await made());
});

test('a gap holds what comes after it, and nothing of another document, until it is filled', async () => {
  const [draft, number, registration, ...rest] = life as [PublicEvent, PublicEvent, PublicEvent, ...PublicEvent[]];
  await app.publish(draft, number, ...rest, receiptEvent(1, {}, { sequence: 1 }));
  expect(await changes()).toEqual(['0001 numbered', '0002 numbered']);
  expect(await held()).toBe(3);
  await app.publish(registration);
  expect(await changes()).toEqual(['0001 numbered', ...rows]);
  expect(await held()).toBe(0);
});

test('two replicas and a crash between the writes make no second row', async () => {
  await app.publish(...life.slice(0, 3));
  const known = await app.ledger.known.get(invoiceId(1));
  await app.publish(...life.slice(3));
  const before = await all();
  await app.ledger.known.write([{ delete: invoiceId(1) }]);
  if (known) await app.ledger.known.write([{ put: known }]); // As a replica that is killed after the postings leaves it.
  await app.publish(...life);
  expect(await all()).toEqual(before);
  expect((await app.ledger.known.get(invoiceId(1)))?.version).toBe(6);
});

test('an event without an entry, of release 0.1.0, makes no posting', async () => {
  await app.publish(...life.map(({ entry: _, ...event }) => event));
  expect(await all()).toEqual([]);
});

test('keeps an event of a later release for it, dead-letters a malformed one, and handles the rest', async () => {
  const broken = { ...invoiceEvent(2, {}, { sequence: 1 }), data: { ...invoiceEvent(2).data, tax_breakdown: null, fiscal: registered } };
  const unknown = { ...invoiceEvent(3), id: 'evt_unknown', type: 'invoicing.invoice-updated.v2', data: { id: 'x' } };
  const pendingBefore = { ...broken, entry: { ...broken.entry, line: 2 }, id: 'evt_broken' };
  const number = invoiceEvent(2, { fiscal: pending }, { sequence: 1 });
  const published = app.publishBatch([number, pendingBefore, unknown, ...life]);
  await app.passTime(7_000);
  await published;
  expect((await changes()).filter((change) => rows.includes(change))).toEqual(rows);
  const deadLetters = await Array.fromAsync(app.deadLetters.find({}));
  expect(new Set(deadLetters.map(({ event, reason }) => [(event as PublicEvent).subject, reason].join()))).toEqual(
    new Set([`${invoiceId(2)},failed`, `${invoiceId(3)},unknown_type`]),
  );
});
