import type { ItemInput } from '@svc/contracts/document/line';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import type { ProductBody } from './fields.ts';
import { filledItems } from './lines.ts';
import type { ProductState } from './state.ts';

const at = '2026-01-15T12:00:00.000Z';
const id = 'prod_1';
const product = (over: Partial<ProductBody> = {}, state: Partial<ProductState> = {}): ProductState => {
  const body = { name: 'Feed', description: 'Heron feed', unit: 'KGM', unit_price: 10, currency: 'EUR', tax_rate: 10, ...over };
  const made = decide({ type: 'create', at, id, livemode: false, body }, null).reduce(evolve, null) as ProductState;
  return { ...made, ...state };
};
const filled = (item: ItemInput, known: ProductState | undefined = product(), currency = 'EUR') => {
  const { items, problems } = filledItems([{ description: 'x', unit_price: 1 }, item], {
    products: new Map(known && [[known.id, known]]),
    currency,
  });
  return { item: items[1], problems: Object.keys(problems) };
};

test('a line that the document has goes on naming a product that was deleted since, if it says all itself', () => {
  const line = { product_id: id, description: 'Feed', unit: 'KGM', unit_price: 3, taxes: [] };
  const problemsOf = (item: ItemInput, held: { product_id: string | null }[]) =>
    Object.keys(filledItems([item], { products: new Map(), currency: 'EUR', held }).problems);
  expect(filledItems([line], { products: new Map(), currency: 'EUR', held: [{ product_id: id }] })).toEqual({
    items: [line],
    problems: {},
  });
  expect(problemsOf(line, [{ product_id: 'prod_2' }, { product_id: null }])).toEqual(['items.0.product_id']);
  expect(problemsOf(line, [])).toEqual(['items.0.product_id']);
  for (const field of ['description', 'unit', 'unit_price', 'taxes'] as const)
    expect(problemsOf({ ...line, [field]: undefined }, [{ product_id: id }])).toEqual(['items.0.product_id']);
});

test('a line takes description, unit, price and taxes of its product', () =>
  expect(filled({ product_id: id, quantity: 3 })).toEqual({
    item: {
      ...{ product_id: id, quantity: 3, description: 'Heron feed', unit: 'KGM', unit_price: '10' },
      taxes: [{ category: 'VAT', rate: '10', code: 'S', retained: false }],
    },
    problems: [],
  }));

test.each<ItemInput>([
  { description: 'Special' },
  { description: null },
  { unit: 'HUR' },
  { unit_price: 0 },
  { taxes: [] },
  { taxes: null },
])('a given field wins: %j', (given) => expect(filled({ product_id: id, ...given }).item).toMatchObject({ product_id: id, ...given }));

test('a given tax_rate, null included, wins over the taxes of the product', () => {
  for (const tax_rate of [20, null]) {
    const { item } = filled({ product_id: id, tax_rate });
    expect(item).toMatchObject({ tax_rate });
    expect(item).not.toHaveProperty('taxes');
  }
});

test('without description the line takes the name; without taxes the default of the issuer', () => {
  const { item } = filled({ product_id: id }, product({ description: null, tax_rate: null }));
  expect([item?.description, item?.taxes]).toEqual(['Feed', null]);
});

test.each([
  ['unknown', undefined],
  ['inactive', product({ active: false })],
  ['deleted', product({}, { active: false, deleted_at: at })],
])('a product that is %s is refused', (_, known) => {
  const { items } = { items: [{ product_id: id }] };
  const { problems } = filledItems(items, { products: new Map(known && [[known.id, known]]), currency: 'EUR' });
  expect(Object.keys(problems)).toEqual(['items.0.product_id']);
});

test('a price is needed where the product has none, or one in another currency', () => {
  expect(filled({ product_id: id }, product({ unit_price: null })).problems).toEqual(['items.1.unit_price']);
  expect(filled({ product_id: id }, product(), 'USD').problems).toEqual(['items.1.unit_price']);
  expect(filled({ product_id: id, unit_price: 3 }, product(), 'USD').problems).toEqual([]);
  expect(filled({ product_id: id }, product({ currency: null }), 'USD').problems).toEqual([]);
});
