import type { PublicEvent } from '@svc/contracts/events/envelope';
import { startReportingApp } from '../testing/reporting-app.ts';
import { invoiceEvent, invoiceId, receiptEvent, receiptId, registered, sampleFact, voidedAt } from '../testing/sample-documents.ts';

let app: Awaited<ReturnType<typeof startReportingApp>>;
beforeEach(async () => (app = await startReportingApp()));
afterEach(() => app.close());

const all = () => Array.fromAsync(app.facts.find({}));
const pending = { ...registered, status: 'pending' };

/** An invoice's events: draft, submitted, registered, paid, voided. */
const life: PublicEvent[] = [
  invoiceEvent(1, { status: 'draft', fiscal: null, number: null, issue_date: null }, { sequence: 1 }),
  invoiceEvent(1, { status: 'submitting', fiscal: pending }, { sequence: 2 }),
  invoiceEvent(1, {}, { sequence: 3 }),
  invoiceEvent(1, { amount_paid: 20 }, { sequence: 4 }),
  invoiceEvent(1, { status: 'voided', void: voidedAt('2026-01-20T10:00:00.000Z') }, { sequence: 5, time: '2026-01-20T10:00:00.000Z' }),
];
const end = sampleFact(1, { version: 5, voided_on: '2026-01-20', changed_at: '2026-01-20T10:00:00.000Z' });

test('stores a fact per registered document, as of its latest event', async () => {
  await app.publish(...life.slice(0, 2));
  expect(await all()).toEqual([]);
  await app.publish(...life.slice(2), receiptEvent(1));
  expect(await app.facts.get(invoiceId(1))).toEqual(end);
  expect((await app.facts.get(receiptId(1)))?.kind).toBe('receipt');
});

test.each([
  ['one by one', (events: PublicEvent[]) => app.publish(...events)],
  ['in one batch', (events: PublicEvent[]) => app.publishBatch(events)],
])('ignores repeated and older events, published %s', async (_how, publish) => {
  await publish([...life, ...life]);
  expect(await all()).toEqual([end]);
  await publish(life.toReversed());
  expect(await all()).toEqual([end]);
});

test.each([
  ['one by one', (events: PublicEvent[]) => app.publish(...events)],
  ['in one batch', (events: PublicEvent[]) => app.publishBatch(events)],
])('ends with the same facts for events in reverse order, published %s', async (_how, publish) => {
  await publish(life.toReversed());
  expect(await all()).toEqual([end]);
});

test('keeps an event of a later release for it, dead-letters a malformed one, and handles the rest', async () => {
  const broken = { ...invoiceEvent(2), data: { ...invoiceEvent(2).data, tax_breakdown: null } };
  const unknown = { ...invoiceEvent(3), id: 'evt_unknown', type: 'invoicing.invoice-updated.v2', data: { id: 'x' } };
  const published = app.publishBatch([broken, unknown, invoiceEvent(1)]);
  await app.passTime(7_000);
  await published;
  expect(await all()).toEqual([sampleFact(1)]);
  const letters = await Array.fromAsync(app.deadLetters.find({}));
  expect(new Set(letters.map(({ event, reason }) => [(event as PublicEvent).subject, reason].join()))).toEqual(
    new Set([`${invoiceId(2)},failed`, `${invoiceId(3)},unknown_type`]),
  );
});
