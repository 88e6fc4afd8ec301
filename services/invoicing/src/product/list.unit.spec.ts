import { rowAfterAll } from '@svc/event-store/testing/row-after';
import { decide, type ProductCommand } from './domain/decide.ts';
import { evolve } from './domain/evolve.ts';
import type { ProductState } from './domain/state.ts';
import { productFilter, productsProjection, type ProductRow } from './list.ts';

const at = '2026-01-15T12:00:00.000Z';
const id = 'prod_01jh2k3m4n5p6q7r8s9t0v1w2x';
const create: ProductCommand = { type: 'create', at, id, livemode: false, body: { name: 'ÉCLAIR', sku: 'E-1', unit_price: 2 } };

function rowAfter(...commands: ProductCommand[]): Omit<ProductRow, 'ordinal'> | undefined {
  let state: ProductState | null = null;
  const events = commands.flatMap((command) => {
    const decided = decide(command, state);
    state = decided.reduce(evolve, state);
    return decided;
  });
  return rowAfterAll(
    productsProjection,
    events.map(({ type, data }, n) => ({
      ...{ id: String(n), type, data, metadata: { v: 1, account: 'acct_1', env: 'test' as const } },
      ...{ stream: `product-test.acct_1.${id}`, revision: BigInt(n), recordedAt: 0, bytes: 0, position: BigInt(n + 1) },
    })),
  );
}

describe('a row of the product list', () => {
  test('a created product is found by its fields', () =>
    expect(rowAfter(create)).toMatchObject({
      ...{ _id: id, version: 1, account: 'acct_1', env: 'test', created_at: at },
      ...{ deleted: false, active: true, sku: 'E-1', name_key: 'éclair' },
    }));

  test('an updated product is found by its new fields', () => {
    const row = rowAfter(create, { type: 'update', at, body: { name: 'Brie', active: false, sku: null } });
    expect(row).toMatchObject({ version: 2, active: false, sku: null, name_key: 'brie', created_at: at });
  });

  test('a deleted product is marked as deleted', () =>
    expect(rowAfter(create, { type: 'delete', at })).toMatchObject({ version: 2, deleted: true, active: false }));

  test('a withdrawn claim leaves the resource as it was, and makes no row of a product that does not exist', () => {
    const [withdraw, before] = [{ type: 'withdraw_claim', at, sku: 'X', claimed: 1, stored: 1 } as const, rowAfter(create)];
    expect(rowAfter(create, withdraw)).toEqual({ ...before, version: 2 });
    expect(rowAfter({ ...withdraw, claimed: 0, stored: 0 })).toBeUndefined();
  });
});

test('filters: deleted products are in no list', () => {
  expect(productFilter({})).toEqual({ deleted: false });
  expect(productFilter({ sku: ['E-1'], active: false })).toEqual({
    ...{ deleted: false, sku: 'E-1', active: false },
  });
});
