import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prefixed, streamOf, type Actor, type Env } from '@svc/kernel';
import { dataFolder, openSystem, type System } from '../testing/open-system.ts';
import { storedBytesRoute } from '@svc/service';
import { STORED, storedBytesOf, storedBytesRows, storedBytesWork } from './stored-bytes.ts';

const [ONE, OTHER] = ['acct_01jh2k3m4n5p6q7r8s9t0v1w2x', 'acct_01jh2k3m4n5p6q7r8s9t0v1w2y'];
const key: Actor = { type: 'api_key', id: 'key_1' };

let folder: ReturnType<typeof dataFolder>;
let system: System;
beforeEach(() => {
  folder = dataFolder();
  system = openSystem(folder.path);
});
afterEach(() => {
  system.engine.close();
  folder.remove();
});

/** Appends an event to a stream of its own. Returns the bytes of its data. */
async function append(text: string, { account = ONE, env = 'test' as Env, actor = key as Actor | null, category = 'invoice' } = {}) {
  const data = { text };
  const stream = streamOf(category, env, account, prefixed('inv', system.ids.next()));
  const metadata = { v: 1, account, env, ...(actor && { actor }) };
  await system.raw.append(stream, 'none', [{ id: system.ids.next(), type: 'Made', data, metadata }]);
  return Buffer.byteLength(JSON.stringify(data));
}

const stored = async (account = ONE): Promise<number> => (await storedBytesOf(storedBytesRows(system.documents))([account]))[account] ?? 0;
const start = (holder = 'one') => storedBytesWork(storedBytesRows(system.documents), { ...system.subscribing, holder }).start();

/** Counts until all that is in the store is counted. */
async function counted(holder?: string): Promise<void> {
  const work = start(holder);
  await untilHead(work);
  await work.stop();
}

async function untilHead({ progress }: ReturnType<typeof start>): Promise<void> {
  const head = await system.raw.head();
  for (let n = 0; n < 500 && (progress?.reached() as bigint) < head; n += 1) await system.clock.sleep(10);
  expect(progress?.reached()).toBe(head);
}

async function untilSaved(): Promise<void> {
  const [rows, head] = [system.documents.collection('checkpoints'), await system.raw.head()];
  const saved = async (): Promise<number> => (await rows.get(STORED))?.version ?? 0;
  for (let n = 0; n < 500 && (await saved()) <= Number(head); n += 1) await system.clock.sleep(10);
  expect(await saved()).toBe(Number(head) + 1);
}

test('counted are the bytes of UTF-8 that requests of the account have appended, in both environments, from the first event on', async () => {
  const sizes = [
    await append('Größe 株式 🙂'),
    await append('x'.repeat(10_000), { env: 'live' }),
    await append('', { category: 'customer' }),
  ];
  const others = await append('other', { account: OTHER });
  await counted();
  expect([await stored(), await stored(OTHER)]).toEqual([sizes.reduce((a, b) => a + b), others]);
});

test('every stream that requests write counts, also those that hold a sku or a pattern of numbers', async () => {
  const categories = globSync('**/*.ts', { cwd: join(import.meta.dirname, '..') })
    .filter((file) => !/\.spec\.ts$|^testing/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(import.meta.dirname, '..', file), 'utf8').matchAll(/streamOf\('(\w+)'/g)].map(([, name = '']) => name),
    );
  expect(categories).toEqual(expect.arrayContaining(['customer', 'product', 'sku', 'pattern', 'series']));
  let sum = 0;
  for (const category of new Set([...categories, 'invoice', 'receipt'])) sum += await append(category, { category });
  await counted();
  expect(await stored()).toBe(sum);
});

test('what an authority, an operator or the service causes is not counted, and no other service’s events', async () => {
  for (const id of ['fiscal-submission', 'operator', 'invoicing']) await append('x', { actor: { type: 'system', id } });
  await append('x', { actor: null });
  await append('x', { category: 'submission' });
  await counted();
  expect(await stored()).toBe(0);
});

test('an event counts once: also when a batch is repeated after a crash, and together with new ones', async () => {
  let sum = 0;
  for (let n = 0; n < 5; n += 1) sum += await append(`before ${n}`);
  await counted();
  for (let n = 0; n < 3; n += 1) {
    await system.documents.collection('checkpoints').write([{ delete: STORED }]); // it was not saved
    sum += await append(`after ${n}`);
    system.engine.abandon();
    system = openSystem(folder.path);
    await counted();
    expect(await stored()).toBe(sum);
  }
});

test('what a process has read and not stored when it is killed is counted after its next start, also where its position is just saved', async () => {
  let sum = 0;
  for (let n = 0; n < 4; n += 1) {
    sum += await append(`read ${n}`);
    const work = start();
    await untilHead(work);
    if (n % 2 === 1) await untilSaved();
    system.engine.abandon();
    void work.stop().catch(() => undefined);
    system = openSystem(folder.path);
  }
  await counted();
  expect(await stored()).toBe(sum);
});

test('two replicas count each event once, while one takes over from the other', async () => {
  let sum = 0;
  let holder = 'one';
  for (let round = 0; round < 4; round += 1) {
    const work = start(holder);
    for (let n = 0; n < 50; n += 1) sum += await append(`${round} ${n}`);
    if (round % 2 === 0) await untilHead(work);
    await work.stop();
    holder = holder === 'one' ? 'two' : 'one';
  }
  await counted(holder);
  expect(await stored()).toBe(sum);
});

test('the gateway gets the counts of the accounts that it names', async () => {
  const bytes = await append('x');
  await append('x', { account: OTHER });
  await counted();
  const route = storedBytesRoute(storedBytesOf(storedBytesRows(system.documents)));
  expect(await route.answer({ accounts: [ONE, 'acct_unknown'] })).toEqual({ bytes: { [ONE]: bytes } });
});
