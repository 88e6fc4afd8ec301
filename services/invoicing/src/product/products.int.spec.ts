import { DomainError, prefixed } from '@svc/kernel';
import { createInvoice } from '../invoice/invoices.ts';
import { reviseInvoice } from '../invoice/write.ts';
import { createCustomer } from '../customer/write.ts';
import { createReceipt } from '../receipt/write.ts';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { createProducts } from './products.ts';
import { createProduct, deleteProduct, updateProduct } from './write.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const { context, customers } = system;
const writing = (identity = callerOf(system)) => ({ context, products: system.products, identity });
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? [error.code, ...Object.keys(error.details ?? {})].join(' ') : String(error)),
  );
const TAKEN = 'validation_error sku';
let count = 0;
const newSku = (): string => `SKU-${(count += 1)}`;

describe('products', () => {
  test('creation uses the id of its command; repeating it creates no second product', async () => {
    const caller = callerOf(system);
    const body = { name: 'Feed', sku: newSku(), unit_price: '9.50', currency: 'EUR', tax_rate: 20 };
    const [first, again] = await Promise.all([createProduct(writing(caller), body), createProduct(writing(caller), body)]);
    expect(first).toMatchObject({
      id: `prod_${caller.commandId}`,
      object: 'product',
      name: 'Feed',
      sku: body.sku,
      active: true,
      version: 1,
    });
    expect(JSON.stringify([first.unit_price, first.taxes?.[0]?.rate])).toBe('[9.5,20]');
    expect(again).toEqual(first);
  });

  test('an update can be repeated safely, checks the version, and is visible at once', async () => {
    const { id } = await createProduct(writing(), { name: 'Feed' });
    const caller = callerOf(system);
    const changed = await updateProduct(writing(caller), { id, ifMatch: ['1'], body: { sku: newSku() } });
    expect(changed.version).toBe(2);
    expect(await updateProduct(writing(caller), { id, ifMatch: ['1'], body: { sku: changed.sku } })).toEqual(changed);
    expect(await codeOf(updateProduct(writing(), { id, ifMatch: ['1'], body: { name: 'Other' } }))).toBe('version_conflict');
  });

  test('are not found under another account, another environment or another id', async () => {
    const { id } = await createProduct(writing(), { name: 'Feed' });
    const { account } = callerOf(system);
    for (const caller of [callerOf(system, 'acct_01jh2k3m4n5p6q7r8s9t0v1w2y'), callerOf(system, account, 'live')]) {
      expect(await system.products.find(caller.account, caller.env, id)).toBeUndefined();
      expect(await codeOf(updateProduct(writing(caller), { id, ifMatch: ['77'], body: { name: 'x' } }))).toBe('not_found');
      expect(await codeOf(deleteProduct(writing(caller), { id, ifMatch: undefined }))).toBe('not_found');
    }
    expect(await codeOf(deleteProduct(writing(), { id: 'nonsense', ifMatch: undefined }))).toBe('not_found');
  });
});

describe('a SKU', () => {
  test('is of one product; another account and environment have their own', async () => {
    const sku = newSku();
    await createProduct(writing(), { name: 'One', sku });
    expect(await codeOf(createProduct(writing(), { name: 'Two', sku }))).toBe(TAKEN);
    const { id } = await createProduct(writing(), { name: 'Two', sku: newSku() });
    expect(await codeOf(updateProduct(writing(), { id, ifMatch: undefined, body: { sku } }))).toBe(TAKEN);
    for (const caller of [callerOf(system, 'acct_01jh2k3m4n5p6q7r8s9t0v1w2y'), callerOf(system, undefined, 'live')])
      expect(await codeOf(createProduct(writing(caller), { name: 'One', sku }))).toBe('done');
  });

  test('is free again after deletion, and after a change; a deleted or changed product can lose and regain it', async () => {
    const sku = newSku();
    const { id } = await createProduct(writing(), { name: 'One', sku });
    await deleteProduct(writing(), { id, ifMatch: undefined });
    const second = await createProduct(writing(), { name: 'Two', sku });
    const patch = (product: string, to: string | null) => updateProduct(writing(), { id: product, ifMatch: undefined, body: { sku: to } });
    await patch(second.id, null);
    const third = await createProduct(writing(), { name: 'Three', sku });
    expect(await codeOf(patch(second.id, sku))).toBe(TAKEN);
    await patch(third.id, newSku());
    expect(await patch(second.id, sku)).toMatchObject({ sku });
    expect(await codeOf(patch(third.id, sku))).toBe(TAKEN);
  });

  test('of an inactive product is not free', async () => {
    const sku = newSku();
    await createProduct(writing(), { name: 'One', sku, active: false });
    expect(await codeOf(createProduct(writing(), { name: 'Two', sku }))).toBe(TAKEN);
  });

  test('is given to one of many that ask at the same time, at several replicas', async () => {
    const replicas = [system.products, createProducts(system), createProducts(system)];
    const sku = newSku();
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        codeOf(createProduct({ ...writing(), products: replicas[n % 3] ?? system.products }, { name: `P${n}`, sku })),
      ),
    );
    expect(codes.sort()).toEqual(['done', ...Array<string>(11).fill(TAKEN)]);
  });

  test('of a request that is refused for another reason is not claimed', async () => {
    const sku = newSku();
    expect(await codeOf(createProduct(writing(), { name: 'x', sku, taxes: [{ rate: 0, code: 'S' }] }))).toBe(
      'validation_error taxes.0.code',
    );
    const { account } = callerOf(system);
    const head = await system.store.head();
    await createProduct(writing(), { name: 'x', sku });
    expect(await claims(head, account)).toHaveLength(1);
  });

  test('that was claimed by a command that ended there is taken over; the command can still be repeated', async () => {
    const sku = newSku();
    const crashed = callerOf(system);
    const stopped = {
      ...system.store,
      append: async (stream: string, ...rest: [bigint | 'none', never[]]) => {
        if (stream.startsWith('product-')) throw new Error('the process ended');
        return system.store.append(stream, ...rest);
      },
    };
    const ended = createProducts({ ...system, store: stopped as never });
    expect(await codeOf(createProduct({ ...writing(crashed), products: ended }, { name: 'Lost', sku }))).toContain('ended');

    const next = await createProduct(writing(), { name: 'Next', sku });
    expect(next).toMatchObject({ sku, version: 1 });
    expect(await codeOf(createProduct(writing(crashed), { name: 'Lost', sku }))).toBe(TAKEN);
    const { account, env } = crashed;
    expect(await codeOf(system.products.current(account, env, prefixed('prod', crashed.commandId)))).toBe('not_found');
    await deleteProduct(writing(), { id: next.id, ifMatch: undefined });
    expect(await createProduct(writing(crashed), { name: 'Lost', sku })).toMatchObject({ sku, version: 1 });
  });

  test('that was claimed by a command that ended there is finished by its repetition', async () => {
    const sku = newSku();
    const { id } = await createProduct(writing(), { name: 'One' });
    const { account, env } = callerOf(system);
    const stream = `sku-${env}.${account}.`;
    const ended = createProducts({
      ...system,
      store: {
        ...system.store,
        append: async (to: string, ...rest: [bigint | 'none', never[]]) => {
          if (!to.startsWith(stream)) throw new Error('the process ended');
          return system.store.append(to, ...rest);
        },
      } as never,
    });
    const caller = callerOf(system);
    const change = (products: typeof ended) => updateProduct({ ...writing(caller), products }, { id, ifMatch: undefined, body: { sku } });
    expect(await codeOf(change(ended))).toContain('ended');
    expect(await change(system.products)).toMatchObject({ sku, version: 2 });
  });
});

/** The SKU claims of the account after a position. */
async function claims(since: bigint, account: string): Promise<object[]> {
  const all: object[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = system.store.subscribe(since, async ({ events, caughtUp }) => {
    for (const { stream, data } of events) if (stream.startsWith('sku-') && stream.includes(account)) all.push(data);
    if (caughtUp) resolve();
  });
  await promise;
  await stop();
  return all;
}

describe('lines made from a product', () => {
  test('keep what they copied when the product changes; a PATCH copies again', async () => {
    const customer_id = (await createCustomer({ context, customers, identity: callerOf(system) }, { name: 'Jo' })).id;
    const call = () => ({ context, identity: callerOf(system) });
    const { id } = await createProduct(writing(), { name: 'Feed', unit: 'KGM', unit_price: 10, currency: 'EUR', tax_rate: 10 });
    const draft = await createInvoice(call(), { customer_id, currency: 'EUR', items: [{ product_id: id, quantity: 2 }] });
    expect(draft).toMatchObject({ items: [{ product_id: id, description: 'Feed', unit: 'KGM', taxes: [{ code: 'S' }] }] });
    expect(String(draft.total)).toBe('22');
    await updateProduct(writing(), { id, ifMatch: undefined, body: { unit_price: 11 } });
    const named = { id: draft.id, ifMatch: undefined };
    expect(String((await reviseInvoice(call(), { ...named, body: { notes: 'n' } })).total)).toBe('22');
    expect(String((await reviseInvoice(call(), { ...named, body: { items: [{ product_id: id }] } })).total)).toBe('12.1');
    const receipt = await createReceipt(call(), { items: [{ product_id: id }], currency: 'EUR', payment_method: 'cash' });
    expect([receipt.items[0]?.product_id, String(receipt.total)]).toEqual([id, '11']);

    await updateProduct(writing(), { id, ifMatch: undefined, body: { active: false } });
    for (const work of [
      createInvoice(call(), { customer_id, currency: 'EUR', items: [{ unit_price: 1 }, { product_id: id }] }),
      reviseInvoice(call(), { ...named, body: { items: [{ unit_price: 1 }, { product_id: id }] } }),
      createReceipt(call(), { items: [{ description: 'x', unit_price: 1 }, { product_id: id }], currency: 'EUR', payment_method: 'cash' }),
    ])
      expect(await codeOf(work)).toBe('validation_error items.1.product_id');
  });

  test('count to the size of the document with what they copied', async () => {
    const customer_id = (await createCustomer({ context, customers, identity: callerOf(system) }, { name: 'Jo' })).id;
    const { id } = await createProduct(writing(), { name: 'Feed', description: 'x'.repeat(2_000), unit_price: 1 });
    const draft = (lines: number) =>
      createInvoice(
        { context, identity: callerOf(system) },
        { customer_id, items: Array.from({ length: lines }, () => ({ product_id: id })) },
      );
    expect(await codeOf(draft(200))).toBe('done');
    expect(await codeOf(draft(400))).toBe('validation_error items');
  });
});
