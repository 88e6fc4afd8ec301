import { parseEvent } from '@svc/contracts/testing/parse';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import { account, recordedOn } from '../invoice/domain/testing/samples.ts';
import { receiptEventVersions } from './domain/events.ts';
import { eventsOf, id, ways, type CommandName, type StateName } from './domain/testing/samples.ts';
import type { ReceiptState } from './domain/state.ts';
import { receiptPublisher } from './receipts.ts';

const recorded = recordedOn(`receipt-test.${account}.${id}`, receiptEventVersions);

/** The types of each event's public events, each checked against its contract. */
function publishedBy(names: readonly CommandName[]) {
  let state: ReceiptState | null = null;
  return eventsOf(names)
    .map(recorded)
    .map((event) => {
      state = receiptPublisher.evolve(state, event);
      return publicEvents('invoicing', event, receiptPublisher.publish(event, state)).map((one) => parseEvent(JSON.stringify(one)));
    });
}
const last = (names: readonly CommandName[]): string => (publishedBy(names).at(-1) ?? []).map(({ type }) => type.split('.')[1]).join(' ');

test.each([
  ['issued', 'receipt-created registration-requested'],
  ['unknown', 'receipt-updated'],
  ['registered', 'receipt-updated'],
  ['rejected for data', 'receipt-updated'],
  ['issued again', 'receipt-updated registration-requested'],
  ['void requested', 'receipt-updated'],
  ['voiding', 'receipt-updated cancellation-requested'],
  ['voiding as requested', 'receipt-updated cancellation-requested'],
  ['void refused', 'receipt-updated'],
  ['voided', 'receipt-voided'],
  ['void without registration', 'receipt-voided'],
] as const)('%s: %s', (name: StateName, types) => expect(last(ways[name])).toBe(types));

test('a receipt without a number is not published', () => expect(last([])).toBe(''));

test('the first public event has version 1, each later one more', () => {
  const heard = publishedBy(ways.voided).flatMap((events) => events.filter(({ type }) => type.startsWith('invoicing.receipt-')));
  expect(heard.map(({ data }) => (data as { version: number }).version)).toEqual([1, 2, 3, 4]);
  expect(heard.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
});

test('the registration request holds the complete document', () => {
  const [created, requested] = publishedBy(ways.issued)[1] ?? [];
  expect(requested?.data).toMatchObject({
    document_id: id,
    kind: 'receipt',
    round: 1,
    number: 'RCP-2026-000001',
    seq: 1,
    series: 'RCP',
    issue_date: '2026-01-16',
    document: created?.data,
    customer: null,
    late_reason: null,
  });
});
