import { DomainError } from '@svc/kernel';
import { productDecider, type ProductCommand } from './decide.ts';
import type { ProductEvent } from './events.ts';
import type { ProductBody } from './fields.ts';
import type { ProductState } from './state.ts';

const at = '2026-01-15T12:00:00.000Z';
const later = '2026-01-16T12:00:00.000Z';
const full = {
  name: 'Feed',
  description: 'Heron feed, 1 kg',
  sku: 'FEED-1',
  unit: 'KGM',
  unit_price: '9.50',
  currency: 'EUR',
  taxes: [{ rate: 10, code: 'S' as const }],
  metadata: { a: '1', b: '2' },
};
const create = (body: ProductBody = full): ProductCommand => ({ type: 'create', at, id: 'prod_1', livemode: false, body });
const update = (body: ProductBody): ProductCommand => ({ type: 'update', at: later, body });
const remove: ProductCommand = { type: 'delete', at: later };
const withdraw = (claimed: number, stored: number): ProductCommand => ({
  type: 'withdraw_claim',
  at: later,
  sku: 'FEED-1',
  claimed,
  stored,
});

function given(...events: ProductEvent[]) {
  const state = events.reduce(productDecider.evolve, productDecider.initialState);
  return {
    state,
    when(command: ProductCommand) {
      const decided = productDecider.decide(command, state);
      return { events: decided, state: decided.reduce(productDecider.evolve, state) as ProductState };
    },
    refuses(command: ProductCommand): DomainError {
      try {
        productDecider.decide(command, state);
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
      throw new Error('it was not refused');
    },
  };
}
const created = given().when(create()).events;
const vat = (rate: string, code: string) => ({ category: 'VAT', rate, code, retained: false });

describe('a product', () => {
  test('is created with the given fields; others have their defaults', () => {
    expect(given().when(create({ name: 'Hour' })).state).toEqual({
      ...{ id: 'prod_1', livemode: false, name: 'Hour', description: null, sku: null, unit: 'C62', unit_price: null, currency: null },
      ...{ taxes: null, active: true, metadata: {}, version: 1, created_at: at, updated_at: at, deleted_at: null },
    });
    expect(given(...created).state).toMatchObject({ ...full, unit_price: '9.5', taxes: [vat('10', 'S')] });
    expect(given(...created).when(create()).events).toEqual([]);
  });

  test.each<[ProductBody, object | null]>([
    [{ taxes: [{ rate: 5, code: 'S' }] }, [vat('5', 'S')]],
    [{ tax_rate: 0 }, [vat('0', 'Z')]],
    [{ tax_rate: 7, taxes: null }, [vat('7', 'S')]],
    [{ taxes: [] }, []],
    [{ taxes: null }, null],
    [{ tax_rate: null }, null],
    [{ name: 'Other' }, [vat('10', 'S')]],
  ])('a patch %j leaves the taxes %j', (body, taxes) => expect(given(...created).when(update(body)).state.taxes).toEqual(taxes));

  test('null removes a field, an absent one stays, metadata merges', () => {
    const { state } = given(...created).when(update({ description: null, sku: null, unit_price: null, metadata: { a: null, c: '3' } }));
    expect(state).toMatchObject({ description: null, sku: null, unit_price: null, currency: 'EUR', metadata: { b: '2', c: '3' } });
    expect([state.version, state.created_at, state.updated_at]).toEqual([2, at, later]);
    expect(given(...created).when(update({ unit_price: 0 })).state.unit_price).toBe('0');
  });

  test.each<ProductBody>([{}, { name: 'Feed' }, { unit_price: 9.5 }, { tax_rate: '10.0' }, { metadata: { a: '1', none: null } }])(
    'a patch that changes nothing appends nothing: %j',
    (body) => expect(given(...created).when(update(body)).events).toEqual([]),
  );

  test('taxes that contradict themselves are refused with their path', () => {
    const s = { rate: 20, code: 'S' as const };
    expect(given().refuses(create({ ...full, taxes: [s, s] })).details).toHaveProperty('taxes');
    expect(given(...created).refuses(update({ taxes: [{ rate: 0, code: 'S' }] })).details).toHaveProperty(['taxes.0.code']);
  });

  test('a deleted one is inactive, keeps its fields, and cannot be changed', () => {
    const { events, state } = given(...created).when(remove);
    expect(state).toMatchObject({ active: false, deleted_at: later, updated_at: later, version: 2, sku: 'FEED-1' });
    expect(given(...created, ...events).when(remove).events).toEqual([]);
    expect(given(...created, ...events).refuses(update({ active: true })).code).toBe('invalid_state');
  });

  test.each([update({ active: false }), remove, withdraw(1, 1)])('after $type the last event alone holds the whole state', (command) => {
    const { events, state } = given(...created).when(command);
    expect(events).toHaveLength(1);
    expect(given(...events).state).toEqual(state);
  });

  test('a withdrawn claim changes nothing that callers see, and is not stored once the stream has grown', () => {
    const now = given(...created);
    expect(now.when(withdraw(1, 1)).state).toEqual(now.state);
    expect(now.when(withdraw(0, 1)).events).toEqual([]);
    const { events } = given().when(withdraw(0, 0));
    expect([given(...events).state, events.map(({ type }) => type)]).toEqual([null, ['ProductClaimWithdrawn']]);
    expect(given(...events).when(create()).state.version).toBe(1);
  });
});
