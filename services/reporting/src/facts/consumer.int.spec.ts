import type { PublicEvent } from '@svc/contracts/events/envelope';
import { openReporting } from '../reporting.suite.ts';
import { invoiceEvent, invoiceId, receiptEvent, receiptId, registered, sampleFact, voidedAt } from '../sample-documents.suite.ts';

let place: Awaited<ReturnType<typeof openReporting>>;
beforeEach(async () => (place = await openReporting()));
afterEach(() => place.close());

const all = () => Array.fromAsync(place.facts.find({}));
const pending = { ...registered, status: 'pending' };

/** An invoice's life: draft, on its way, registered, paid, voided. */
const life: PublicEvent[] = [
  invoiceEvent(1, { status: 'draft', fiscal: null, number: null, issue_date: null }, { sequence: 1 }),
  invoiceEvent(1, { status: 'submitting', fiscal: pending }, { sequence: 2 }),
  invoiceEvent(1, {}, { sequence: 3 }),
  invoiceEvent(1, { amount_paid: 20 }, { sequence: 4 }),
  invoiceEvent(1, { status: 'voided', void: voidedAt('2026-01-20T10:00:00.000Z') }, { sequence: 5, time: '2026-01-20T10:00:00.000Z' }),
];
const end = sampleFact(1, { version: 5, voided_on: '2026-01-20', changed_at: '2026-01-20T10:00:00.000Z' });

test('a fact per registered document, as of its latest event', async () => {
  await place.tell(...life.slice(0, 2));
  expect(await all()).toEqual([]);
  await place.tell(...life.slice(2), receiptEvent(1));
  expect(await place.facts.get(invoiceId(1))).toEqual(end);
  expect((await place.facts.get(receiptId(1)))?.kind).toBe('receipt');
});

test.each([
  ['one by one', (events: PublicEvent[]) => place.tell(...events)],
  ['in one batch', (events: PublicEvent[]) => place.tellAtOnce(events)],
])('repeats and old news change nothing, told %s', async (_how, tell) => {
  await tell([...life, ...life]);
  expect(await all()).toEqual([end]);
  await tell(life.toReversed());
  expect(await all()).toEqual([end]);
});

test.each([
  ['one by one', (events: PublicEvent[]) => place.tell(...events)],
  ['in one batch', (events: PublicEvent[]) => place.tellAtOnce(events)],
])('told backwards, %s, it ends the same', async (_how, tell) => {
  await tell(life.toReversed());
  expect(await all()).toEqual([end]);
});

test('an event of a later release waits for it, one that cannot be read goes to the dead letters, the rest goes on', async () => {
  const broken = { ...invoiceEvent(2), data: { ...invoiceEvent(2).data, tax_breakdown: null } };
  const unknown = { ...invoiceEvent(3), id: 'evt_unknown', type: 'invoicing.invoice-updated.v2', data: { id: 'x' } };
  const told = place.tellAtOnce([broken, unknown, invoiceEvent(1)]);
  await place.passTime(7_000);
  await told;
  expect(await all()).toEqual([sampleFact(1)]);
  const letters = await Array.fromAsync(place.deadLetters.find({}));
  expect(new Set(letters.map(({ event, reason }) => [(event as PublicEvent).subject, reason].join()))).toEqual(
    new Set([`${invoiceId(2)},failed`, `${invoiceId(3)},unknown_type`]),
  );
});
