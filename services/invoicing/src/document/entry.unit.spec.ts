import type { DocumentEntry } from '@svc/contracts/document/entry';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/testing/parse';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import type { Publisher } from '@svc/event-bus/publishing/publisher';
import { streamOf } from '@svc/kernel';
import * as invoice from '../invoice/domain/testing/samples.ts';
import { invoicePublisher } from '../invoice/invoices.ts';
import * as receipt from '../receipt/domain/testing/samples.ts';
import { receiptEventVersions } from '../receipt/domain/events.ts';
import { receiptPublisher } from '../receipt/receipts.ts';

const { account, payment } = invoice;

/** The entries of the public events that a stream becomes. Each event is valid by its published schema. */
function entriesOf(
  publisher: Publisher<never>,
  id: string,
  events: readonly { type: string; data: object }[],
  versions?: Record<string, number>,
): DocumentEntry[] {
  const recorded = events.map(invoice.recordedOn(streamOf(publisher.category, 'test', account, id), versions));
  let state = publisher.initialState;
  const published: PublicEvent[] = [];
  for (const one of recorded) {
    state = publisher.evolve(state, one);
    published.push(...publicEvents('invoicing', one, publisher.publish(one, state)));
  }
  return published.flatMap((event) => parseEvent(JSON.stringify(event)).entry ?? []);
}
const ofInvoice = (name: invoice.StateName) =>
  entriesOf(invoicePublisher as Publisher<never>, invoice.id, invoice.eventsOf(invoice.ways[name]));
const ofReceipt = (name: receipt.StateName) =>
  entriesOf(receiptPublisher as Publisher<never>, receipt.id, receipt.eventsOf(receipt.ways[name]), receiptEventVersions);

test.each([
  ...(Object.keys(invoice.ways) as invoice.StateName[]).map((name) => [`invoice, ${name}`, () => ofInvoice(name)] as const),
  ...(Object.keys(receipt.ways) as receipt.StateName[]).map((name) => [`receipt, ${name}`, () => ofReceipt(name)] as const),
])('lines have no gaps although events are hidden: %s', (_, entries) => {
  expect(entries().map(({ line }) => line)).toEqual(entries().map((_entry, n) => n + 1));
});

test('an event says what it is in the history, when, and by whom', () => {
  expect(ofInvoice('voided').map(({ type }) => type)).toEqual(['created', 'numbered', 'registered', 'void_requested', 'voided']);
  expect(ofInvoice('draft')).toEqual([{ line: 1, type: 'created', at: invoice.at, actor: { type: 'system', id: null }, request_id: null }]);
});

test('a number says in which count it is, and where that begins', () => {
  expect(ofInvoice('submitting').at(-1)).toMatchObject({ type: 'numbered', numbered: { seq: 1, series_key: 'INV.2026', first_seq: 1 } });
  expect(ofReceipt('issued')).toMatchObject([{ type: 'created', numbered: { seq: 1, series_key: 'INV.2026', first_seq: 1 } }]);
});

test('a payment and its reversal say which, of how much and of which day', () => {
  const shown = { id: payment.id, amount: 50.25, paid_at: payment.paid_at };
  expect(ofInvoice('reversed').slice(-2)).toMatchObject([
    { type: 'payment_recorded', payment: shown },
    { type: 'payment_reversed', payment: shown },
  ]);
});

test('a void that a corrective carries out says of which day the corrective is', () => {
  const events = invoice.eventsOf(invoice.ways['submitted']);
  const numbering = { ...invoice.numbering, series: 'COR' };
  const requested = {
    type: 'InvoiceReversalRequested',
    data: { at: invoice.at, reason: 'entered twice', document: invoice.id, numbering },
  };
  const voided = { type: 'InvoiceVoided', data: { at: invoice.at, reason: 'entered twice', cancelled: null, issue_date: '2026-01-17' } };
  const entries = entriesOf(invoicePublisher as Publisher<never>, invoice.id, [...events, requested, voided]);
  expect(entries.slice(-2)).toMatchObject([{ type: 'void_requested' }, { type: 'voided', voided: { issue_date: '2026-01-17' } }]);
  expect(ofInvoice('voided').at(-1)).not.toHaveProperty('voided');
});
