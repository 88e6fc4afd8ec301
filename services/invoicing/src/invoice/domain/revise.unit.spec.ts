import type { UpdateInvoice } from '@svc/contracts/invoice/requests';
import { invoiceDecider, type InvoiceCommand, decide } from './decide.ts';
import type { InvoiceState } from './state.ts';
import { at, body, create, eventsOf, fold, inState, outcomeOf, preconditions } from './testing/samples.ts';

describe('a merge patch', () => {
  const patch = (body: object, over: object = {}): InvoiceCommand => ({
    type: 'revise',
    at: create.at,
    body,
    preconditions: { ...preconditions, ...over },
  });
  const changes = (body: object, state: InvoiceState = inState('draft')) => decide(patch(body), state)[0]?.data;

  test('that changes nothing appends nothing', () => {
    for (const same of [
      {},
      { notes: null },
      { metadata: {} },
      { metadata: null },
      { metadata: { none: null } },
      { currency: 'EUR' },
      { supply_date: null, exchange_rate: null },
      { items: body.items },
    ]) {
      expect(decide(patch(same), inState('draft'))).toEqual([]);
    }
  });

  test('stores the changed fields, and the totals where they changed', () => {
    expect(changes({ notes: 'n', due_date: '2026-02-01' })).toEqual({ at: create.at, changes: { notes: 'n', due_date: '2026-02-01' } });
    expect(changes({ items: [{ unit_price: '50.50' }] })).toMatchObject({
      changes: { items: [{ unit_price: '50.5' }] },
      totals: { total: '60.6' },
    });
  });

  test('sets and removes the day of supply and the exchange rate', () => {
    const given = { supply_date: '2026-01-10', exchange_rate: '98.50' };
    const draft = fold(eventsOf([], { ...create, body: { ...body, ...given } }))!;
    expect(draft.content).toMatchObject({ supply_date: '2026-01-10', exchange_rate: '98.5' });
    expect(changes(given, draft)).toBeUndefined();
    expect(changes({ exchange_rate: 99 }, draft)).toEqual({ at: create.at, changes: { exchange_rate: '99' } });
    expect(changes({ supply_date: null, exchange_rate: null }, draft)).toEqual({
      at: create.at,
      changes: { supply_date: null, exchange_rate: null },
    });
  });

  test('merges metadata and replaces lists', () => {
    const draft = fold(
      eventsOf([], { ...create, body: { ...body, metadata: { a: '1', b: '2' }, items: [...body.items, ...body.items] } }),
    )!;
    expect(changes({ metadata: { a: null, c: '3' }, items: body.items }, draft)).toMatchObject({
      changes: { metadata: { b: '2', c: '3' }, items: [{}] },
    });
  });

  test('of a failed invoice may repeat, but not change, what was fixed with the number', () => {
    const failed = inState('failed');
    for (const [field, value] of [
      ['currency', 'USD'],
      ['series', 'OTHER'],
      ['issue_date', '2026-01-01'],
      ['exchange_rate', '98.5'],
    ] as const) {
      expect(outcomeOf(invoiceDecider, patch({ [field]: value }), failed)).toBe(`validation_error ${field}`);
    }
    expect(
      outcomeOf(
        invoiceDecider,
        patch({ currency: 'EUR', issue_date: '2026-01-16', exchange_rate: null, supply_date: '2026-01-10' }),
        failed,
      ),
    ).toBe('InvoiceRevised');
  });

  test('of an invoice under way may repeat what it has, and change its metadata alone', () => {
    const items = inState('submitted').content.items as UpdateInvoice['items'] & object;
    expect(outcomeOf(invoiceDecider, patch({ items, customer_id: body.customer_id, notes: null }), inState('submitted'))).toBe('nothing');
    expect(outcomeOf(invoiceDecider, patch({ metadata: { a: 'b' }, items }), inState('submitted'))).toBe('InvoiceRevised');
    expect(outcomeOf(invoiceDecider, patch({ metadata: { a: 'b' }, notes: 'x' }), inState('submitted'))).toBe('invalid_state');
    expect(outcomeOf(invoiceDecider, patch({ items: [...items, ...items] }), inState('submitted'))).toBe('invalid_state');
    expect(outcomeOf(invoiceDecider, patch({ items: body.items }), inState('submitted'))).toBe('invalid_state'); // the same by default
    expect(outcomeOf(invoiceDecider, patch({ items: [{ product_id: 'prod_unknown' }] }), inState('submitted'))).toBe('invalid_state');
    expect(outcomeOf(invoiceDecider, patch({}), inState('submitted'))).toBe('nothing');
  });

  test('may name another existing customer', () => {
    expect(outcomeOf(invoiceDecider, patch({ customer_id: 'cust_2' }), inState('draft'))).toBe('InvoiceRevised');
    expect(outcomeOf(invoiceDecider, patch({ customer_id: 'cust_2' }, { customerKnown: false }), inState('draft'))).toBe(
      'validation_error customer_id',
    );
    expect(outcomeOf(invoiceDecider, patch({ customer_id: body.customer_id }, { customerKnown: false }), inState('draft'))).toBe('nothing');
  });
});

describe('lines in a patch are checked also where they change nothing', () => {
  test('a line without a price is rejected where the price was 0', () => {
    const free = { ...create, body: { ...body, items: [{ description: 'Gift', unit_price: 0 }] } };
    const command: InvoiceCommand = { type: 'revise', at, body: { items: [{ description: 'Gift' }] }, preconditions };
    expect(outcomeOf(invoiceDecider, command, fold(eventsOf([], free)))).toBe('validation_error items.0.unit_price');
  });
});
