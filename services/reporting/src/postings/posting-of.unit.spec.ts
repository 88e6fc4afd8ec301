import { invoiceEvent, invoiceId, receiptEvent, registered, voidedAt } from '../testing/sample-documents.ts';
import { sampleFigures, samplePosting } from '../testing/sample-postings.ts';
import type { KnownDocument } from './known-document.ts';
import { stepOf, type EntryEvent } from './posting-of.ts';
import type { NewPosting, Posting } from './posting.ts';

type Given = Parameters<typeof invoiceEvent>[2];
const pending = { ...registered, status: 'pending', code: null };

/** Events of an invoice, by what they are; the line is the sequence. */
const numbered = (over: object = {}, given: Given = {}) =>
  invoiceEvent(
    1,
    { status: 'submitting', fiscal: pending, ...over },
    {
      sequence: 2,
      time: '2026-01-10T09:00:00.000Z',
      ...given,
      entry: { type: 'numbered', numbered: { seq: 1, series_key: 'INV.2026' }, ...given?.entry },
    },
  );
const isRegistered = (over: object = {}) => invoiceEvent(1, over, { entry: { type: 'registered' } });
const voided = (over: object = {}, given: Given = {}) =>
  invoiceEvent(
    1,
    { status: 'voided', fiscal: { ...registered, status: 'cancelled' }, void: voidedAt('2026-02-28T23:30:00.000Z'), ...over },
    { sequence: 4, ...given, entry: { type: 'voided', ...given?.entry } },
  );
const payment = { id: 'pay_1', amount: 40.5, paid_at: '2026-01-20' };
const paid = (type: 'payment_recorded' | 'payment_reversed', given: Given = {}, of = payment) =>
  invoiceEvent(1, { amount_paid: type === 'payment_recorded' ? of.amount : 0 }, { sequence: 4, ...given, entry: { type, payment: of } });

/** What the last of the events makes, as it would be stored. */
function made(...events: EntryEvent[]): Posting | undefined {
  let known: KnownDocument | undefined;
  let posting: NewPosting | undefined;
  for (const event of events) ({ known, posting } = stepOf(known, event));
  return posting && { ...posting, stored: 0 };
}
const first = [numbered()];

describe('a posting of', () => {
  test('a number: nothing is counted, and its document is open', () => {
    const { counted_on: _, figures: _1, ...rest } = samplePosting(1);
    expect(made(...first)).toEqual({
      ...rest,
      _id: `${invoiceId(1)}:0002`,
      change: 'numbered',
      outcome: 'pending',
      recorded_at: '2026-01-10T09:00:00.000Z',
      numbered_at: '2026-01-10T09:00:00.000Z',
      ...{ series: 'INV', series_key: 'INV.2026', seq: 1, issued_at: '2026-01-10T09:00:00.000Z' },
    });
    expect(stepOf(undefined, numbered()).known).toMatchObject({ open_on: '2026-01-10', outcome: 'pending' });
  });

  test('a registration: its amounts count on the issue date, however late it comes', () => {
    const late = isRegistered({ fiscal: { ...registered, late: true } });
    expect(made(...first, late)).toEqual(samplePosting(1, { answered: { seconds: 1, late: true } }));
    expect(stepOf(undefined, late).known).toMatchObject({ open_on: null, outcome: 'registered', counts: true });
  });

  test('a rejection, the next submission, and a registration after it', () => {
    const at = (day: number) => `2026-01-${day}T23:30:00.000Z`; // The next day in Tirana.
    const failed = invoiceEvent(
      1,
      { status: 'failed', fiscal: { ...registered, status: 'rejected' } },
      { time: at(11), entry: { type: 'rejected' } },
    );
    const again = invoiceEvent(
      1,
      { status: 'submitting', fiscal: pending },
      { sequence: 4, time: at(12), entry: { type: 'submission_requested' } },
    );
    const then = invoiceEvent(1, {}, { sequence: 5, time: at(13), entry: { type: 'registered' } });
    expect(made(...first, failed)).toMatchObject({ change: 'failed', day: '2026-01-12', outcome: 'failed' });
    expect(made(...first, failed)).not.toHaveProperty('figures');
    expect(made(...first, failed, again)).toMatchObject({ change: 'pending', day: '2026-01-13' });
    expect(made(...first, failed, again, then)).toMatchObject({ change: 'registered', day: '2026-01-10', answered: { seconds: 86_400 } });
  });

  test('a doubt: its document stays open', () => {
    const doubt = invoiceEvent(
      1,
      { status: 'submitting', fiscal: { ...registered, status: 'needs_review' } },
      { entry: { type: 'delayed' } },
    );
    expect(made(...first, doubt)).toMatchObject({ change: 'unknown', outcome: 'unknown' });
    expect(stepOf(undefined, doubt).known.open_on).toBe('2026-01-10');
  });

  test('a void takes the amounts back on the day of the issuer’s zone on which it was confirmed', () => {
    const posting = made(...first, isRegistered(), voided());
    expect(posting).toMatchObject({ change: 'voided', day: '2026-03-01', counted_on: '2026-03-01', outcome: 'voided' });
    expect(posting?.figures).toEqual(sampleFigures({ documents: -1, sign: -1 }));
  });

  test('a void that a corrective carries out counts on the corrective’s issue date; the corrective itself counts nothing', () => {
    const day = { entry: { voided: { issue_date: '2026-02-27' } } };
    expect(made(...first, isRegistered(), voided({}, day))).toMatchObject({ day: '2026-02-27', counted_on: '2026-02-27' });
    const corrective = { type: 'corrective', corrects: invoiceId(9), voids: invoiceId(9) };
    const posting = made(numbered(corrective), isRegistered(corrective));
    expect(posting).toMatchObject({ change: 'registered', outcome: 'registered' });
    expect(posting).not.toHaveProperty('figures');
  });

  test('a void of what was rejected counts nothing', () => {
    const failed = invoiceEvent(1, { status: 'failed', fiscal: { ...registered, status: 'rejected' } }, { entry: { type: 'rejected' } });
    const posting = made(...first, failed, voided({ fiscal: { ...registered, status: 'rejected' } }));
    expect(posting).toMatchObject({ change: 'voided', outcome: 'voided' });
    expect(posting).not.toHaveProperty('counted_on');
  });

  test('a payment counts on its day, or on the issue date where that is later; its reversal on the day of the reversal', () => {
    const before = [...first, isRegistered()];
    expect(made(...before, paid('payment_recorded'))).toMatchObject({
      change: 'paid',
      day: '2026-01-20',
      paid: '40.5',
      outcome: 'registered',
    });
    expect(made(...before, paid('payment_recorded', {}, { ...payment, paid_at: '2025-12-31' }))).toMatchObject({ day: '2026-01-10' });
    const reversed = paid('payment_reversed', { sequence: 5, time: '2026-01-31T23:30:00.000Z' });
    expect(made(...before, paid('payment_recorded'), reversed)).toMatchObject({ change: 'reversed', day: '2026-02-01', paid: '40.5' });
  });

  test('a reversal counts on the day of its payment where the issuer’s zone was ahead of the document’s when that was recorded', () => {
    const far = { issuer: { ...isRegistered().data.issuer, time_zone: 'Pacific/Honolulu' } };
    const of = { ...payment, paid_at: '2026-03-11' }; // Today in Kiritimati, and 10 March in Honolulu.
    const at = (type: 'payment_recorded' | 'payment_reversed', sequence: number, time: string) =>
      invoiceEvent(1, far, { sequence, time, entry: { type, payment: of } });
    const before = [numbered(far), isRegistered(far), at('payment_recorded', 4, '2026-03-10T12:00:00.000Z')];
    expect(made(...before)).toMatchObject({ change: 'paid', day: '2026-03-11' });
    const reversed = (time: string) => made(...before, at('payment_reversed', 5, time))?.day;
    expect(['2026-03-10T12:01:00.000Z', '2026-03-12T12:00:00.000Z'].map(reversed)).toEqual(['2026-03-11', '2026-03-12']);
  });

  test('a credit note names the invoice of which it lowers what is due', () => {
    const note = { type: 'credit_note', corrects: invoiceId(9) };
    expect(made(numbered(note), isRegistered(note))).toMatchObject({
      lowers: invoiceId(9),
      figures: { sign: -1, documents: 1 },
    });
  });

  test('a change of metadata, and a void that was requested or refused: none', () => {
    const before = [...first, isRegistered()];
    for (const over of [{ metadata: { a: 'b' } }, { status: 'voiding', void: voidedAt('2026-02-01T00:00:00.000Z') }])
      expect(made(...before, invoiceEvent(1, over, { sequence: 4 }))).toBeUndefined();
  });

  test('a receipt has its number from the first', () => {
    const issued = receiptEvent(
      1,
      { fiscal: pending },
      { sequence: 1, entry: { type: 'created', numbered: { seq: 7, series_key: 'RCP.shop1.till2.2026', first_seq: 5 } } },
    );
    expect(made(issued)).toMatchObject({ change: 'numbered', kind: 'receipt', series_key: 'RCP.shop1.till2.2026', seq: 7, first_seq: 5 });
    expect(made(issued, receiptEvent(1, {}, { sequence: 2, entry: { type: 'registered' } }))).toMatchObject({
      change: 'registered',
      customer_id: null,
    });
  });
});

describe('days of the issuer’s zone', () => {
  test.each([
    ['at new year', 'Pacific/Apia', '2025-12-31T11:30:00.000Z', '2026-01-01'],
    ['at new year on the other side', 'Pacific/Pago_Pago', '2026-01-01T10:30:00.000Z', '2025-12-31'],
    ['when summer time begins', 'Europe/Paris', '2026-03-28T23:30:00.000Z', '2026-03-29'],
    ['in the hour that is there twice', 'Europe/Paris', '2026-10-25T00:30:00.000Z', '2026-10-25'],
    ['where clocks change by a quarter past', 'Pacific/Chatham', '2026-04-04T10:20:00.000Z', '2026-04-05'],
    ['on a day without midnight', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24'],
    ['just before it', 'Africa/Cairo', '2026-04-23T21:59:59.999Z', '2026-04-23'],
  ])('%s', (_when, time_zone, at, day) => {
    const zoned = { issue_date: '2025-06-01', issuer: { ...isRegistered().data.issuer, time_zone } };
    const posting = made(numbered(zoned), isRegistered(zoned), voided({ ...zoned, void: voidedAt(at) }, { time: at }));
    expect(posting?.day).toBe(day);
  });
});
