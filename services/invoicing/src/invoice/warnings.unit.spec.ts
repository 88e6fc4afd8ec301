import { MOST_WARNINGS } from '@svc/contracts/invoice/warnings';
import type { CustomerState } from '../customer/domain/state.ts';
import type { Item } from '@svc/totals/line';
import type { InvoiceContent } from './domain/state.ts';
import { inState } from './domain/testing/samples.ts';
import { warningsOf } from './warnings.ts';

const draft = inState('draft').content;
const vat = (rate: string) => ({ category: 'VAT', rate, code: 'S', retained: false }) as const;
const item = (over: Partial<Item> = {}): Item => ({ ...(draft.items[0] as Item), taxes: [vat('20')], ...over });
const address = { line1: 'x', line2: null, city: 'y', postal_code: '1', region: null, country: 'FR' };
const whole = { name: 'Jo', email: null, phone: null, tax_id: null, address };
const customer = (personal: object | null = whole, over: object = {}) =>
  ({ id: 'cust_1', personal, deleted_at: null, ...over }) as CustomerState;

/** Field and code of each warning. */
const warned = (over: Partial<InvoiceContent>, of: CustomerState | undefined = customer()): string[] =>
  warningsOf({ ...draft, items: [item()], ...over }, { customer: of, today: '2026-01-16' }).map(({ field, code }) => `${field} ${code}`);

test.each<[string, Partial<InvoiceContent>, CustomerState, string[]]>([
  ['nothing odd', {}, customer(), []],
  ['a fraction as a rate', { items: [item(), item({ taxes: [vat('0.2')] })] }, customer(), ['items.1.taxes.0.rate rate_below_one']],
  ['a rate of 0 and of 1', { items: [item({ taxes: [vat('0'), vat('1')] })] }, customer(), []],
  ['a fraction in a charge', { charges: [{ amount: '1', taxes: [vat('0.05')] }] }, customer(), ['charges.0.taxes.0.rate rate_below_one']],
  ['a price of 0', { items: [item({ unit_price: '0' })] }, customer(), ['items.0.unit_price price_is_zero']],
  ['a due date that has passed', { due_date: '2026-01-15' }, customer(), ['due_date due_date_passed']],
  ['a due date of today', { due_date: '2026-01-16' }, customer(), []],
  ['a due date that suits its issue date', { issue_date: '2026-01-10', due_date: '2026-01-15' }, customer(), []],
  ['no address', {}, customer({ ...whole, address: null }), ['customer.address.country customer_country_missing']],
  ['XK', {}, customer({ ...whole, address: { ...address, country: 'XK' } }), ['customer.address.country customer_country_unassigned']],
  ['a deleted customer', {}, customer(whole, { deleted_at: 'x' }), ['customer_id customer_deleted']],
  [
    'reverse charge without a tax id',
    { items: [item({ taxes: [{ ...vat('0'), code: 'AE' }] })] },
    customer(),
    ['customer.tax_id customer_tax_id_missing'],
  ],
  [
    'an intra-community supply to a number that is no VAT identifier',
    { items: [item({ taxes: [{ ...vat('0'), code: 'K' }] })] },
    customer({ ...whole, tax_id: '12-3456789', address: { ...address, country: 'US' } }),
    ['customer.tax_id customer_tax_id_missing'],
  ],
  [
    'one to a VAT identifier',
    { items: [item({ taxes: [{ ...vat('0'), code: 'K' }] })] },
    customer({ ...whole, tax_id: 'FR40303265045' }),
    [],
  ],
])('%s', (_, over, of, expected) => expect(warned(over, of)).toEqual(expected));

test('without a customer nothing is said of it', () =>
  expect(warningsOf({ ...draft, items: [item()] }, { customer: undefined, today: '2026-01-16' })).toEqual([]));

test('says what was probably meant', () =>
  expect(
    warningsOf({ ...draft, items: [item({ taxes: [vat('0.2')] })] }, { customer: customer(), today: '2026-01-16' })[0]?.message,
  ).toContain('for 20 % send 20.'));

test('are bounded, however many lines are odd', () => {
  const items = Array.from({ length: 500 }, () => item({ unit_price: '0', taxes: Array.from({ length: 10 }, () => vat('0.2')) }));
  expect(warned({ items })).toHaveLength(MOST_WARNINGS);
});
