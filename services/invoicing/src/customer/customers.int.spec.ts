import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '@svc/kernel';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { createCustomers } from './customers.ts';
import { createCustomer, deleteCustomer, updateCustomer } from './write.ts';

const folder = dataFolder();
let system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});

const writing = (identity = callerOf(system)) => ({ context: system.context, customers: system.customers, identity });
const full = {
  name: 'Blue Heron',
  email: 'a@heron.example',
  phone: '+34 600 000 000',
  tax_id: 'J99216582',
  address: { city: 'Madrid', country: 'ES' },
};
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

describe('customers', () => {
  test('creation uses the id of its command; repeating it creates no second customer', async () => {
    const caller = callerOf(system);
    const [first, again] = await Promise.all([createCustomer(writing(caller), full), createCustomer(writing(caller), full)]);
    expect(first).toMatchObject({
      id: `cust_${caller.commandId}`,
      object: 'customer',
      livemode: false,
      version: 1,
      ...full,
      address: { ...full.address, line1: null },
    });
    expect(again).toEqual(first);
  });

  test('an update can be repeated safely, checks the version, and is visible at once', async () => {
    const { id } = await createCustomer(writing(), full);
    const caller = callerOf(system);
    const changed = await updateCustomer(writing(caller), { id, ifMatch: ['1'], body: { phone: null } });
    expect(changed).toMatchObject({ version: 2, phone: null, email: full.email });
    expect(await updateCustomer(writing(caller), { id, ifMatch: ['1'], body: { phone: null } })).toEqual(changed);
    expect(await codeOf(updateCustomer(writing(), { id, ifMatch: ['1'], body: { name: 'Other' } }))).toBe('version_conflict');
    expect((await system.customers.find(caller.account, caller.env, id))?.personal?.phone).toBeNull();
  });

  test('a replica that has cached an older version still answers with the stored one', async () => {
    const { id } = await createCustomer(writing(), full);
    const replica = { ...writing(), customers: createCustomers(system) };
    const { account, env } = replica.identity;
    await replica.customers.find(account, env, id);
    await updateCustomer(writing(), { id, ifMatch: undefined, body: { name: 'Second' } });
    expect((await replica.customers.find(account, env, id))?.personal?.name).toBe('Second');
    await updateCustomer(writing(), { id, ifMatch: undefined, body: { name: 'Third' } });
    expect(await updateCustomer({ ...replica, identity: callerOf(system) }, { id, ifMatch: ['3'], body: { name: 'Third' } })).toMatchObject(
      {
        version: 3,
      },
    );
  });

  test('concurrent updates lose no change', async () => {
    const { id } = await createCustomer(writing(), { name: 'Heron' });
    const keys = ['a', 'b', 'c', 'd'];
    const codes = await Promise.all(
      keys.map((key) => codeOf(updateCustomer(writing(), { id, ifMatch: undefined, body: { metadata: { [key]: 'v' } } }))),
    );
    const { account, env } = callerOf(system);
    const { state, revision } = await system.customers.current(account, env, id);
    const done = keys.filter((_, n) => codes[n] === 'done');
    expect([Object.keys(state?.metadata ?? {}).sort(), Number(revision)]).toEqual([done, done.length]);
    expect(codes.every((code) => code === 'done' || code === 'service_unavailable')).toBe(true);
  });

  test('are not found under another account, another environment or another id', async () => {
    const { id } = await createCustomer(writing(), full);
    const elsewhere = [callerOf(system, 'acct_01jh2k3m4n5p6q7r8s9t0v1w2y'), callerOf(system, undefined, 'live')];
    for (const caller of elsewhere) {
      expect(await system.customers.find(caller.account, caller.env, id)).toBeUndefined();
      expect(await codeOf(updateCustomer(writing(caller), { id, ifMatch: ['77'], body: { name: 'x' } }))).toBe('not_found');
      expect(await codeOf(deleteCustomer(writing(caller), { id, ifMatch: undefined }))).toBe('not_found');
    }
    expect(await codeOf(deleteCustomer(writing(), { id: 'nonsense', ifMatch: undefined }))).toBe('not_found');
  });

  test('an invalid tax id is rejected where the country is known', async () => {
    const send = (tax_id: string, country: string) => codeOf(createCustomer(writing(), { name: 'x', tax_id, address: { country } }));
    expect(await send('J99216583', 'ES')).toBe('validation_error');
    expect(await send('J99216582', 'ES')).toBe('done');
    expect(await send('whatever-17', 'AQ')).toBe('done');
    const { id } = await createCustomer(writing(), { name: 'x', tax_id: 'J99216583' });
    expect(await codeOf(updateCustomer(writing(), { id, ifMatch: undefined, body: { address: { country: 'ES' } } }))).toBe(
      'validation_error',
    );
  });

  test('personal data is nowhere stored in clear and is unreadable without its key, also in what was cached on disk', async () => {
    const secret = { name: 'Zarathustra Quux', email: 'quux@zara.example' };
    const { id } = await createCustomer(writing(), secret);
    await updateCustomer(writing(), { id, ifMatch: undefined, body: { phone: '+99 777 666' } });
    system.engine.close();
    for (const file of readdirSync(folder.path)) {
      const bytes = readFileSync(join(folder.path, file));
      for (const text of ['Zarathustra', 'quux@zara', '777 666']) expect(bytes.includes(text)).toBe(false);
    }
    system = openSystem(folder.path);
    const { account, env } = callerOf(system);
    expect((await system.customers.find(account, env, id))?.personal).toMatchObject({ ...secret, phone: '+99 777 666' });
    await system.keys.destroy(id);
    system.engine.close();
    system = openSystem(folder.path);
    expect((await system.customers.find(account, env, id))?.personal).toBeNull();
  });
});
