import { eventually, startSystem, type Call, type System } from '@svc/testkit';
import { openAccount, type Account } from './testing/accounts.ts';
import { forgetPostings } from './testing/forget-postings.ts';
import type { Invoice } from './testing/retrying-client.ts';

const FIRST = 200;
/** With tax. */
const EACH = 120;
const ROUNDS = 3;
const ROUND_MS = 1_500;

interface Sales {
  totals: { documents: number; total: number }[];
}
interface Numbering {
  complete: boolean;
  meta: { total: number };
}

let system: System;
let account: Account;
let customer: string;
beforeAll(async () => {
  system = await startSystem();
  account = await openAccount(system, 'Rebuilt');
  customer = (await account.test<Invoice>('POST', '/customers', { body: { name: 'Blue Heron' } })).body.id;
});
afterAll(() => system?.stop());

const call: Call = (...request) => account.test(...request);
const draft = () => ({ customer_id: customer, currency: 'EUR', items: [{ description: 'x', unit_price: 100, tax_rate: 20 }] });

async function submitBatch(count: number): Promise<void> {
  const { body } = await call<{ data: { resource: Invoice }[] }>('POST', '/invoices/batch', {
    body: { requests: Array.from({ length: count }, draft) },
  });
  const ids = body.data.map(({ resource }) => resource.id);
  expect((await call('POST', '/invoices/batch/submit', { body: { ids } })).status).toBe(200);
}
/** undefined while postings are built. */
async function answerOf<T>(report: string): Promise<T | undefined> {
  const { status, body } = await call<T>('GET', `/reports/${report}`);
  if (status === 503) return undefined;
  expect(status).toBe(200);
  return body;
}
const counted = async (): Promise<number | undefined> => (await answerOf<Sales>('sales'))?.totals[0]?.documents;

test('reports that are built anew, while documents are made and the process is killed, are right or not given yet', async () => {
  for (let made = 0; made < FIRST; made += 100) await submitBatch(100);
  await eventually(async () => (await counted()) === FIRST, 'the first documents');
  let [asked, answers] = [FIRST, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    await system.kill('SIGKILL');
    forgetPostings(system.dataDir);
    system = await system.restart();
    const isLast = round === ROUNDS - 1;
    for (const end = Date.now() + ROUND_MS; Date.now() < end || (isLast && answers < 3);) {
      const sales = await answerOf<Sales>('sales');
      const numbering = await answerOf<Numbering>('numbering');
      if (sales && numbering) {
        const { documents, total } = sales.totals[0] ?? { documents: 0, total: 0 };
        expect([documents >= FIRST, documents <= asked, total]).toEqual([true, true, documents * EACH]);
        expect([numbering.complete, numbering.meta.total >= FIRST, numbering.meta.total <= asked]).toEqual([true, true, true]);
        answers += 1;
      }
      asked += 1;
      await submitBatch(1);
    }
  }
  await eventually(async () => (await counted()) === asked, 'the documents that were made meanwhile');
  expect((await answerOf<Numbering>('numbering'))?.meta.total).toBe(asked);
});
