import fc from 'fast-check';
import { runProjection, rowOf, type Row, type Projection } from '@svc/event-store';
import { createMatches } from '@svc/event-store/projection/matches';
import { idOf, streamOf } from '@svc/kernel';
import { type Identity, listProjection, type ListProjectionOptions } from '@svc/service';
import { wholeOf } from '@svc/service/lists/testing/whole';
import { createCustomer, deleteCustomer, updateCustomer } from '../customer/write.ts';
import type { CustomerResource } from '@svc/contracts/customer/resource';
import type { ProductResource } from '@svc/contracts/product/resource';
import { customerFilter, customersProjection, type CustomerQuery, type CustomerRow } from '../customer/list.ts';
import { productFilter, productsProjection, type ProductQuery, type ProductRow } from '../product/list.ts';
import { createProduct, deleteProduct } from '../product/write.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { ordersByName } from './by-name.ts';

interface ThingRow extends Row {
  colour: string;
}
const thingsProjection: Projection<ThingRow> = {
  name: 'things_v1',
  category: 'thing',
  ordinals: true,
  indexes: [{ fields: ['account', 'env', 'colour', 'ordinal'] }],
  initialState: null,
  evolve: () => null,
  row: (_state, recorded) => ({ ...rowOf(recorded), created_at: '', colour: (recorded.data as { colour: string }).colour }),
  resource: (_state, { stream }) => ({ id: idOf(stream) }),
};

const folder = dataFolder();
const system = openSystem(folder.path);
const things = runProjection(thingsProjection, system.documents, system.subscribing);
const customers = runProjection(customersProjection, system.documents, system.subscribing);
const products = runProjection(productsProjection, system.documents, system.subscribing);
afterAll(async () => {
  await Promise.all([things, customers, products].map(({ subscription }) => subscription.stop()));
  system.engine.close();
  folder.remove();
});

const requestOf = (identity: Identity, query: object) => ({
  identity,
  query: { page: 1, per_page: 20, ...query },
  url: '/v1/things?a=b',
});

const whole = async <Item, R extends Row>(options: ListProjectionOptions<R>) => wholeOf<Item>(await listProjection(options));
const listThings = (
  identity: Identity,
  { colour, ...query }: { page?: number; per_page?: number; sort?: string; colour?: string },
  running: Pick<typeof things, 'projection' | 'rows' | 'asOf' | 'matches'> = things,
) =>
  whole<{ id: string }, ThingRow>({
    running,
    publicUrl: 'https://api.example.com',
    request: requestOf(identity, query),
    filter: colour === undefined ? {} : { colour },
    orders: {},
  });

const listCustomers = (identity: Identity, query: CustomerQuery & { page?: number; per_page?: number; sort?: string }) =>
  whole<CustomerResource, CustomerRow>({
    running: customers,
    publicUrl: 'https://api.example.com',
    request: requestOf(identity, query),
    filter: customerFilter(query),
    orders: ordersByName,
  });

const listProducts = (identity: Identity, query: ProductQuery & { sort?: string }) =>
  whole<ProductResource, ProductRow>({
    running: products,
    publicUrl: 'https://api.example.com',
    request: requestOf(identity, query),
    filter: productFilter(query),
    orders: ordersByName,
  });

/** The rows may be written by another process. */
const unknown = { now: () => undefined, since: () => undefined };

const account = () => callerOf(system, `acct_${system.ids.next()}`);
const again = (identity: Identity): Identity => ({ ...identity, commandId: system.ids.next() });
const writing = (identity: Identity) => ({ context: system.context, customers: system.customers, identity: again(identity) });

async function makeThing({ account: of, env }: Identity, id: string, colour: string): Promise<void> {
  const event = { id: system.ids.next(), type: 'Seen', data: { colour }, metadata: { v: 1, account: of, env } };
  await system.store.append(streamOf('thing', env, of, id), 'none', [event]);
}

describe('a list', () => {
  test('its pages hold each row once, newest first, with and without a filter, in both orders', async () => {
    const identity = account();
    const made: { id: string; colour: string }[] = [];
    for (let n = 0; n < 47; n += 1) {
      const thing = { id: `thing_${system.ids.next()}`, colour: n % 3 === 0 ? 'red' : 'blue' };
      await makeThing(identity, thing.id, thing.colour);
      made.push(thing);
    }
    const query = fc.record({
      per_page: fc.integer({ min: 1, max: 60 }),
      colour: fc.constantFrom(undefined, 'red', 'blue'),
      sort: fc.constantFrom(undefined, 'created_at', '-created_at'),
      block: fc.integer({ min: 1, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ per_page, colour, sort, block }) => {
        const running = { ...things, matches: createMatches(things.rows, { ...unknown, size: block }) };
        const wanted = made.filter((thing) => colour === undefined || thing.colour === colour).map(({ id }) => id);
        const pages: string[] = [];
        const { meta } = await listThings(identity, { per_page, colour, sort }, running);
        expect(meta.total).toBe(wanted.length);
        for (let page = 1; page <= meta.last_page + 1; page += 1)
          pages.push(...(await listThings(identity, { page, per_page, colour, sort }, running)).data.map(({ id }) => id));
        expect(pages).toEqual(sort === 'created_at' ? wanted : wanted.reverse());
      }),
      { numRuns: 40 },
    );
  });

  test('a page past the end is empty; another account sees nothing', async () => {
    const identity = account();
    expect(await listThings(identity, {})).toMatchObject({ data: [], meta: { total: 0, last_page: 1 }, links: { next: null, prev: null } });
    await makeThing(identity, `thing_${system.ids.next()}`, 'red');
    expect(await listThings(identity, { page: 9 })).toMatchObject({ data: [], meta: { total: 1 } });
    expect((await listThings({ ...identity, env: 'live' }, {})).meta.total).toBe(0);
    expect((await listThings(account(), {})).meta.total).toBe(0);
  });

  test('totals of filters follow each change of the account at once', async () => {
    const identity = account();
    for (let n = 1; n <= 20; n += 1) {
      await makeThing(identity, `thing_${system.ids.next()}`, n % 2 ? 'red' : 'blue');
      const [red, blue] = await Promise.all(['red', 'blue'].map((colour) => listThings(identity, { colour })));
      expect([red?.meta.total, blue?.meta.total]).toEqual([Math.ceil(n / 2), Math.floor(n / 2)]);
    }
  });

  test('the total is not below the rows shown where rows match since the count', async () => {
    const identity = account();
    for (let n = 0; n < 4; n += 1) await makeThing(identity, `thing_${system.ids.next()}`, 'red');
    const counted: typeof things.matches = async (...asked) => {
      const found = await things.matches(...asked);
      await makeThing(identity, `thing_${system.ids.next()}`, 'red');
      await things.barrier();
      return found;
    };
    const { data, meta, links } = await listThings(
      identity,
      { colour: 'red', page: 2, per_page: 3, sort: 'created_at' },
      { ...things, matches: counted },
    );
    expect([data.length, meta.total, meta.last_page, links.next]).toEqual([2, 5, 2, null]);
  });

  test('includes every change that was acknowledged before the request', async () => {
    const identity = account();
    for (let n = 1; n <= 60; n += 1) {
      const { id } = await createCustomer(writing(identity), { name: `Name ${n}` });
      const { data, meta } = await listCustomers(identity, { per_page: 1 });
      expect([data[0]?.id, meta.total]).toEqual([id, n]);
      if (n % 5 > 0) continue;
      await updateCustomer(writing(identity), { id, ifMatch: undefined, body: { name: 'Changed' } });
      expect((await listCustomers(identity, { per_page: 1 })).data[0]).toMatchObject({ name: 'Changed', version: 2 });
    }
  });

  test('customers are found by email and tax id in any form; deleted ones are hidden', async () => {
    const identity = account();
    const make = async (body: { name: string; email?: string; tax_id?: string }) => (await createCustomer(writing(identity), body)).id;
    const [adder, addax, bison] = [
      await make({ name: 'Adder', email: 'one@x.example' }),
      await make({ name: 'addax', tax_id: 'X1' }),
      await make({ name: 'Bison Adder' }),
    ];
    const found = async (query: Parameters<typeof listCustomers>[1]) => (await listCustomers(identity, query)).data.map(({ id }) => id);
    expect(await found({})).toEqual([bison, addax, adder]);
    expect(await found({ sort: 'created_at' })).toEqual([adder, addax, bison]);
    expect(await found({ sort: 'name' })).toEqual([addax, adder, bison]);
    expect(await found({ sort: '-name' })).toEqual([bison, adder, addax]);
    expect(await found({ email: ['ONE@x.example'] })).toEqual([adder]);
    expect(await found({ tax_id: ['X1'] })).toEqual([addax]);
    expect(await found({ tax_id: ['X2', 'x-1'] })).toEqual([addax]);
    await deleteCustomer(writing(identity), { id: addax, ifMatch: undefined });
    expect(await found({})).toEqual([bison, adder]);
    expect(await found({ deleted: 'true' })).toEqual([addax]);
    expect(await found({ deleted: 'all' })).toEqual([bison, addax, adder]);
  });

  test('products are found by SKU and by whether they are active; deleted ones are hidden', async () => {
    const identity = account();
    const made = (name: string, more: object = {}) =>
      createProduct({ context: system.context, products: system.products, identity: again(identity) }, { name, ...more });
    const axle = await made('Axle', { sku: 'A-1' });
    const axe = await made('axe', { active: false });
    const bolt = await made('Bolt', { sku: 'B-1' });
    const found = async (query: Parameters<typeof listProducts>[1]) => (await listProducts(identity, query)).data.map(({ id }) => id);
    expect(await found({})).toEqual([bolt.id, axe.id, axle.id]);
    expect(await found({ sort: 'created_at' })).toEqual([axle.id, axe.id, bolt.id]);
    expect(await found({ sort: 'name' })).toEqual([axe.id, axle.id, bolt.id]);
    expect(await found({ sort: '-name' })).toEqual([bolt.id, axle.id, axe.id]);
    expect(await found({ active: true })).toEqual([bolt.id, axle.id]);
    expect(await found({ active: false })).toEqual([axe.id]);
    expect(await found({ active: true, sku: ['A-1'] })).toEqual([axle.id]);
    expect(await found({ sku: ['A-1', 'B-1', 'C-1'] })).toEqual([bolt.id, axle.id]);
    await deleteProduct(
      { context: system.context, products: system.products, identity: again(identity) },
      { id: axle.id, ifMatch: undefined },
    );
    expect(await found({ sku: ['A-1'] })).toEqual([]);
    const { id } = await made('Axle', { sku: 'A-1' });
    expect(await found({ sku: ['A-1'] })).toEqual([id]);
  });
});
