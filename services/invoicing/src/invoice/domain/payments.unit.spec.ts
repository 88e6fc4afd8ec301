import { decide, invoiceDecider } from './decide.ts';
import { balanceOf, MOST_PAYMENTS } from './payments.ts';
import { commands, create, body, eventsOf, fold, inState, outcomeOf, payment, ways } from './testing/samples.ts';
import type { InvoiceEvent } from './events.ts';

/** The events of a submitted invoice over `total`, without tax. */
const submitted = (total: string, currency = 'EUR'): InvoiceEvent[] =>
  eventsOf(ways.submitted, { ...create, body: { ...body, currency, items: [{ description: 'x', unit_price: total, tax_rate: 0 }] } });
const pay = (id: string, amount: string) => ({ ...commands.pay, payment: { ...payment, id, amount } });
const after = (events: InvoiceEvent[], ...amounts: string[]): InvoiceEvent[] =>
  amounts.reduce((all, amount, n) => [...all, ...decide(pay(`pay_${all.length + n}`, amount), fold(all))], events);

test.each([
  ['120', '0', '0', '0', { due: '120', status: 'unpaid' }],
  ['120', '15', '0', '0', { due: '105', status: 'unpaid' }],
  ['120', '15', '50.25', '0', { due: '54.75', status: 'partial' }],
  ['120', '0', '0', '60', { due: '60', status: 'partial' }],
  ['120', '0', '60', '60', { due: '0', status: 'paid' }],
  ['120', '0', '120', '60', { due: '-60', status: 'paid' }],
  ['0', '0', '0', '0', { due: '0', status: 'paid' }],
  ['800000000000.13', '0', '0.06', '0.01', { due: '800000000000.06', status: 'partial' }],
])('of %s, %s retained, %s paid and %s credited', (total, retained_total, paid, credited, expected) => {
  const payments = { recorded: [], count: 0, paid };
  expect(balanceOf({ totals: { total, retained_total }, payments }, credited)).toEqual({ paid, credited, ...expected });
});

test('a payment is stored as it was given; the same one again is nothing', () => {
  const [event] = decide(commands.pay, inState('submitted'));
  expect(event).toEqual({ type: 'InvoicePaymentRecorded', data: { at: create.at, ...payment } });
  expect(decide({ ...commands.pay, payment: { ...payment, amount: '1' } }, inState('paid'))).toEqual([]);
});

test('a payment in the future is refused, one of today and of the past is not', () => {
  const paid = (paid_at: string) => outcomeOf(invoiceDecider, { ...commands.pay, payment: { ...payment, paid_at } }, inState('submitted'));
  expect(paid('2026-01-17')).toBe('validation_error paid_at');
  expect([paid('2026-01-16'), paid('2020-02-29')]).not.toContain('validation_error paid_at');
});

test('payments in any number add up exactly to what is due, and not beyond', () => {
  const events = after(submitted('0.3'), '0.1', '0.1', '0.1');
  expect(fold(events)).toMatchObject({ payments: { paid: '0.3', count: 3 } });
  expect(outcomeOf(invoiceDecider, pay('pay_x', '0.01'), fold(events))).toBe('validation_error amount');
  expect(outcomeOf(invoiceDecider, pay('pay_x', '0.21'), fold(after(submitted('0.3'), '0.1')))).toBe('validation_error amount');
});

test.each([
  ['EUR', '0.001', 'validation_error amount'],
  ['JPY', '0.1', 'validation_error amount'],
  ['KWD', '0.001', 'InvoicePaymentRecorded'],
])('a payment has at most the decimals of %s', (currency, amount, expected) => {
  expect(outcomeOf(invoiceDecider, pay('pay_x', amount), fold(submitted('10', currency)))).toBe(expected);
});

test('a reversed payment can be recorded anew under another id, and its sum is due again', () => {
  const events = after(submitted('10'), '10');
  const [recorded] = events.slice(-1) as [Extract<InvoiceEvent, { type: 'InvoicePaymentRecorded' }>];
  const reversed = [...events, ...decide({ ...commands.reverse, payment: recorded.data.id }, fold(events))];
  expect(fold(reversed)).toMatchObject({ payments: { paid: '0', count: 0, recorded: [{ reversed_at: create.at }] } });
  expect(fold(after(reversed, '10'))).toMatchObject({ payments: { paid: '10', count: 1 } });
});

test(`an invoice has at most ${MOST_PAYMENTS} payments that count`, () => {
  const full = after(submitted('1000'), ...Array.from({ length: MOST_PAYMENTS }, () => '1'));
  expect(outcomeOf(invoiceDecider, pay('pay_x', '1'), fold(full))).toBe('invalid_state');
  const [first] = full.filter((event) => event.type === 'InvoicePaymentRecorded');
  const reversed = [...full, ...decide({ ...commands.reverse, payment: first!.data.id }, fold(full))];
  expect(outcomeOf(invoiceDecider, pay('pay_x', '1'), fold(reversed))).toBe('InvoicePaymentRecorded');
});
