import { get, type IncomingMessage } from 'node:http';
import { client, eventually, startSystem, type System } from '@svc/testkit';
import { openAccount, type Account } from '../e2e/testing/accounts.ts';
import { memoryOf } from './testing/fixture.ts';

const INVOICES = 100;
const LISTS = 20;
const MIB = 1024 * 1024;
/** How long a request of another account may take meanwhile, in milliseconds. */
const DEADLINE = 1_000;

let system: System;
let attacker: Account;
let victim: Account;
let total: number;

beforeAll(async () => {
  system = await startSystem();
  [attacker, victim] = await Promise.all([openAccount(system, 'Attacker'), openAccount(system, 'Victim')]);
  const call = client(`${system.url}/v1`, attacker.testKey);
  const { body: customer } = await call<{ id: string }>('POST', '/customers', { body: { name: 'Customer' } });
  const items = Array.from({ length: 500 }, () => ({ description: 'x'.repeat(400), quantity: 1, unit_price: 10, tax_rate: 20 }));
  for (let n = 0; n < INVOICES; n += 10) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '/invoices', { body: { customer_id: customer.id, items } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  }
  await victim.test('POST', '/customers', { body: { name: 'Customer' } });
});
afterAll(() => system?.stop());

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${attacker.testKey}` };
    get(`${system.url}/v1/invoices?per_page=100`, { headers, agent: false }, resolve).on('error', reject);
  });

interface Taken {
  status: number | undefined;
  bytes: number;
  isWhole: boolean;
}
async function take(response: IncomingMessage): Promise<Taken> {
  let bytes = 0;
  const isWhole = await new Promise<boolean>((resolve) => {
    response
      .on('data', (piece: Buffer) => (bytes += piece.length))
      .on('end', () => resolve(response.complete))
      .on('error', () => resolve(false));
  });
  return { status: response.statusCode, bytes, isWhole };
}

/** Measures the victim's requests and the most memory of a process, in MiB, until `work` is over. */
async function meanwhile<T>(work: Promise<T>): Promise<{ result: T; slowest: number; answered: number; most: number }> {
  const seen = { slowest: 0, answered: 0, most: 0, over: false };
  const watch = async (): Promise<void> => {
    while (!seen.over) {
      for (const ask of [() => victim.test('GET', '/customers'), () => victim.test('POST', '/customers', { body: { name: 'Another' } })]) {
        const began = performance.now();
        expect((await ask()).status).toBeLessThan(300);
        seen.slowest = Math.max(seen.slowest, performance.now() - began);
        seen.answered += 1;
      }
      seen.most = Math.max(seen.most, memoryOf(system));
    }
  };
  const [result] = await Promise.all([work.finally(() => (seen.over = true)), watch()]);
  return { result, ...seen };
}

test(`serves others during ${LISTS} lists of ${INVOICES} large invoices at once; each list is whole or refused with 503`, async () => {
  const { result, slowest, answered, most } = await meanwhile(Promise.all(Array.from({ length: LISTS }, async () => take(await open()))));
  const whole = result.filter(({ status }) => status === 200);
  total = whole[0]?.bytes ?? 0;
  expect(total).toBeGreaterThan(20 * MIB);
  expect(whole.every(({ bytes, isWhole }) => isWhole && bytes === total)).toBe(true);
  expect(result.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(whole.length).toBeGreaterThanOrEqual(4);
  expect(answered).toBeGreaterThan(10);
  expect(slowest).toBeLessThan(DEADLINE);
  expect(most).toBeLessThan(1024);
});

test('cuts readers that read nothing, bounds their memory, and serves their account again', async () => {
  const { result, slowest, most } = await meanwhile(
    (async () => {
      const responses = Array.from({ length: LISTS }, open);
      const begun = (await Promise.all(responses)).filter(({ statusCode }) => statusCode === 200);
      // Twice the time after which an idle reader is cut.
      await new Promise((resolve) => setTimeout(resolve, 40_000));
      return Promise.all(begun.map(take));
    })(),
  );
  expect(result.length).toBeGreaterThan(0);
  expect(result.filter(({ isWhole }) => isWhole)).toEqual([]);
  expect(slowest).toBeLessThan(DEADLINE);
  expect(most).toBeLessThan(1024);
  const again = await eventually(async () => {
    const taken = await take(await open());
    return taken.isWhole && taken.status === 200 ? taken : undefined;
  }, 'a list');
  expect(again.bytes).toBe(total);
});
