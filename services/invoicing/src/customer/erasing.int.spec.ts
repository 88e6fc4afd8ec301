import { createCustomers, erasingWork } from './customers.ts';
import { createCustomer, eraseCustomer } from './write.ts';
import { callerOf, dataFolder, openSystem, type System } from '../testing/open-system.ts';

const folder = dataFolder();
let system: System;
let caller: ReturnType<typeof callerOf>;
beforeEach(() => {
  system = openSystem(folder.path);
  caller = callerOf(system);
});
afterEach(() => system.engine.close());
afterAll(() => folder.remove());

const writing = (on = system, customers = on.customers) => ({ context: on.context, customers, identity: caller });
const created = async (): Promise<string> =>
  (await createCustomer({ ...writing(), identity: callerOf(system) }, { name: 'Ophelia Kent', email: 'ok@kent.example' })).id;
const streamOf = (id: string): string => `customer-test.${caller.account}.${id}`;
const typesOf = async (id: string): Promise<string[]> => (await system.raw.read(streamOf(id))).map(({ type }) => type);
const keyOf = async (id: string) => (await system.documents.collection('subject_keys').get(id)) as { sealed?: string | null } | undefined;
/** What a reader finds in the events of the customer. */
const readable = async (id: string): Promise<string> => JSON.stringify((await system.store.read(streamOf(id))).map(({ data }) => data));

/** The process ends, and another opens the folder. */
function restarted(): void {
  system.engine.abandon();
  system = openSystem(folder.path);
}

/** Runs until `done`. */
async function erasing(done: () => Promise<boolean>): Promise<void> {
  const work = erasingWork(system.customers, system.subscribing).start();
  for (let n = 0; n < 500 && !(await done()); n += 1) await system.clock.sleep(10);
  await work.stop();
}
const isDestroyed = async (id: string): Promise<boolean> => (await keyOf(id))?.sealed === null;

test('a process that ends between the event and the key: the next one destroys the key, also if nobody repeats the request', async () => {
  const id = await created();
  const ends = { ...system.customers, destroyKey: () => Promise.reject(new Error('the process is gone')) };
  await expect(eraseCustomer(writing(system, ends), { id, ifMatch: undefined })).rejects.toThrow('gone');
  restarted();
  expect(await isDestroyed(id)).toBe(false);
  expect((await system.customers.find(caller.account, caller.env, id))?.personal).toBeNull();
  await erasing(() => isDestroyed(id));
  expect(await isDestroyed(id)).toBe(true);
  expect(await readable(id)).not.toMatch(/Ophelia|kent/);
});

test('a request that is repeated after that end destroys the key, and stores no second event', async () => {
  const id = await created();
  const ends = { ...system.customers, destroyKey: () => Promise.reject(new Error('the process is gone')) };
  await expect(eraseCustomer(writing(system, ends), { id, ifMatch: undefined })).rejects.toThrow('gone');
  restarted();
  expect(await eraseCustomer(writing(), { id, ifMatch: undefined })).toMatchObject({ name: null, version: 2 });
  expect([await isDestroyed(id), await typesOf(id)]).toEqual([true, ['CustomerCreated', 'CustomerErased']]);
});

test('a process that ends before the event changes nothing; one whose answer is lost has erased', async () => {
  const id = await created();
  const appendFails = createCustomers({
    ...system,
    store: { ...system.store, append: () => Promise.reject(new Error('the process is gone')) },
  });
  await expect(eraseCustomer(writing(system, appendFails), { id, ifMatch: undefined })).rejects.toThrow('gone');
  restarted();
  expect(await readable(id)).toContain('Ophelia');
  const erased = await eraseCustomer(writing(), { id, ifMatch: ['1'] });
  restarted();
  expect(await eraseCustomer(writing(), { id, ifMatch: ['1'] })).toEqual(erased);
  expect(await typesOf(id)).toEqual(['CustomerCreated', 'CustomerErased']);
});

test('a customer whose key is destroyed and whose event is lost, as after a restore, is erased by a repeat', async () => {
  const id = await created();
  await system.customers.destroyKey(id);
  restarted();
  expect(await eraseCustomer(writing(), { id, ifMatch: undefined })).toMatchObject({ name: null, erased_at: expect.any(String) });
  expect(await typesOf(id)).toEqual(['CustomerCreated', 'CustomerErased']);
});

test('a key that a backup has brought back is destroyed again', async () => {
  const id = await created();
  const backup = await keyOf(id);
  await eraseCustomer(writing(), { id, ifMatch: undefined });
  await system.documents.collection('subject_keys').write([{ delete: id }, { insert: backup as never }]);
  await system.documents.collection('checkpoints').write([{ delete: 'erasing' }]);
  restarted();
  expect(await readable(id)).toContain('Ophelia');
  await erasing(() => isDestroyed(id));
  expect(await isDestroyed(id)).toBe(true);
});
