import { parseEvent } from '@svc/contracts/testing/parse';
import type { CreateInvoice } from '@svc/contracts/invoice/requests';
import { publicEvents } from '@svc/event-bus/publishing/publication';
import { versionAt } from '@svc/kernel';
import {
  account,
  at,
  body,
  commands,
  create,
  eventsOf,
  id,
  preconditions,
  recordedOn,
  ways,
  type CommandName,
  type StateName,
} from './domain/testing/samples.ts';
import type { InvoiceEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { InvoiceState } from './domain/state.ts';
import { invoicePublisher } from './invoices.ts';

const recorded = recordedOn(`invoice-test.${account}.${id}`);

/** The types of the last event's public events, each checked against its contract. */
function publishedBy(names: readonly CommandName[], over: Partial<CreateInvoice> = {}) {
  const events = eventsOf(names, { ...create, body: { ...body, ...over } }).map(recorded);
  const state = events.reduce<InvoiceState | null>(invoicePublisher.evolve, null);
  const last = events.at(-1)!;
  const publications = invoicePublisher.publish(last, state);
  expect(invoicePublisher.publish(last, state)).toEqual(publications);
  return publicEvents('invoicing', last, publications).map((event) => {
    expect(event.sequence).toBe(versionAt(last.revision));
    return parseEvent(JSON.stringify(event)) as typeof event & { data: Record<string, never> };
  });
}
const typesOf = (names: readonly CommandName[]): string =>
  publishedBy(names)
    .map(({ type }) => type.split('.')[1])
    .join(' ');

test.each([
  ['draft', 'invoice-created'],
  ['being numbered', ''],
  ['submitting', 'invoice-updated registration-requested'],
  ['submitting, unknown', 'invoice-updated'],
  ['submitting, review', 'invoice-updated'],
  ['submitted', 'invoice-submitted'],
  ['failed', 'invoice-failed'],
  ['submitting again', 'invoice-updated registration-requested'],
  ['paid', 'invoice-updated'],
  ['reversed', 'invoice-updated'],
  ['voiding', 'invoice-updated cancellation-requested'],
  ['void refused', 'invoice-updated'],
  ['voided', 'invoice-voided'],
  ['voided draft', 'invoice-voided'],
] as const)('%s: %s', (name: StateName, types) => expect(typesOf(ways[name])).toBe(types));

test('a revision and a refused number', () => {
  expect(typesOf(['PATCH notes'])).toBe('invoice-updated');
  expect(typesOf(['submit', 'refuse number'])).toBe('');
});

test('the registration request holds the complete document with both parties', () => {
  const [updated, requested] = publishedBy(ways.submitting);
  expect(requested?.data).toMatchObject({
    document_id: id,
    kind: 'invoice',
    round: 1,
    authority: 'sandbox',
    number: 'INV-2026-000001',
    seq: 1,
    series: 'INV',
    issue_date: '2026-01-16',
    document: updated?.data,
    issuer: updated?.data['issuer'],
    customer: updated?.data['customer'],
    simulate: null,
    late_reason: null,
  });
  expect(updated?.data).toMatchObject({ status: 'submitting', number: 'INV-2026-000001', fiscal_code: null, version: 3 });
});

test('a void request has its reason and time', () => {
  expect(publishedBy(ways.voiding)[1]?.data).toMatchObject({
    number: 'INV-2026-000001',
    reason: commands.void.reason,
    document: { status: 'voiding' },
  });
});

test('`simulate` is sent for test documents only, with the metadata of that moment', () => {
  expect(publishedBy(ways.submitting, { metadata: { simulate: 'reject' } })[1]?.data).toMatchObject({ simulate: 'reject' });
  expect(publishedBy(ways.voiding, { metadata: { simulate: 'refuse_void' } })[1]?.data).toMatchObject({ simulate: 'refuse_void' });
  const events = eventsOf(ways.submitting, { ...create, livemode: true, body: { ...body, metadata: { simulate: 'reject' } } }).map(
    recorded,
  );
  const state = events.reduce<InvoiceState | null>(invoicePublisher.evolve, null);
  expect(invoicePublisher.publish(events.at(-1)!, state)[1]?.data).toMatchObject({ simulate: null });
});

test('every shape of line, tax and adjustment matches the contract', () => {
  const taxes = [
    { rate: '21', surcharge: '5.2' },
    { category: 'IRPF', rate: 15, retained: true },
  ];
  const items = [
    {
      description: 'x',
      quantity: '2.5',
      unit_price: '123456789012.12345678',
      discounts: [{ percent: 10, reason: 'kind' }],
      charges: [{ amount: 1 }],
      taxes,
    },
    { unit_price: 1, taxes: [{ rate: 0, code: 'E' as const, exemption_reason: 'Art. 132' }] },
  ];
  const [event] = publishedBy([], {
    items,
    discounts: [{ amount: 1, taxes: [{ rate: 0, code: 'E' as const }] }],
    charges: [{ percent: '1.5' }],
    metadata: { a: 'b' },
  });
  expect(JSON.stringify(event)).toContain('"unit_price":123456789012.12345678');
  expect(event?.data).toMatchObject({ discounts: [{ amount: 1, taxes: [{ rate: 0, code: 'E' }] }], charges: [{ percent: 1.5 }] });
});

describe('corrections', () => {
  const note = `${id.slice(0, -1)}a`;
  const correction = { document: note, type: 'credit_note' as const, attempt: 1, total: '60', net: '60' };
  const of = { at, document: note, attempt: 1 };
  const published = (...events: InvoiceEvent[]) => {
    const recordings = [...eventsOf(ways.submitted), ...events].map(recorded);
    const state = recordings.reduce<InvoiceState | null>(invoicePublisher.evolve, null);
    const last = recordings.at(-1)!;
    return publicEvents('invoicing', last, invoicePublisher.publish(last, state)).map(
      (event) => parseEvent(JSON.stringify(event)) as typeof event & { data: Record<string, never> },
    );
  };
  const reserved: InvoiceEvent = { type: 'InvoiceCorrectionReserved', data: { at, ...correction } };
  const applied: InvoiceEvent = { type: 'InvoiceCorrectionApplied', data: of };

  test('the original is published when its amounts change, not while room is held', () => {
    expect(published(reserved)).toEqual([]);
    expect(published({ type: 'InvoiceCorrectionRefused', data: { at, ...correction, details: {} } })).toEqual([]);
    expect(published(reserved, applied)).toMatchObject([
      { type: 'invoicing.invoice-updated.v1', data: { amount_credited: 60, amount_due: 60, payment_status: 'partial' } },
    ]);
    expect(published(reserved, applied, { type: 'InvoiceCorrectionReleased', data: of })).toMatchObject([
      { type: 'invoicing.invoice-updated.v1', data: { amount_credited: 0, amount_due: 120, payment_status: 'unpaid' } },
    ]);
  });

  test('a credit note is published like any invoice, and reaches the authority with its type and what it corrects', () => {
    const original = eventsOf(ways.submitted).reduce<InvoiceState | null>(evolve, null);
    const written = {
      ...create,
      ...{ id: note, body: { ...body, type: 'credit_note' as const, corrects: id } },
      preconditions: { ...preconditions, original },
    };
    const recordings = eventsOf(ways.submitting, written).map(recordedOn(`invoice-test.${account}.${note}`));
    const typesOf = (upTo: number) => {
      const state = recordings.slice(0, upTo).reduce<InvoiceState | null>(invoicePublisher.evolve, null);
      return invoicePublisher.publish(recordings[upTo - 1]!, state);
    };
    expect(typesOf(1).map(({ type }) => type)).toEqual(['invoicing.invoice-created.v1']);
    expect(typesOf(3).map(({ type }) => type)).toEqual(['invoicing.invoice-updated.v1', 'invoicing.registration-requested.v1']);
    expect(typesOf(3)[1]?.data).toMatchObject({ document: { type: 'credit_note', corrects: id, total: 120 } });
  });
});
