import { startSystem, type System } from '@svc/testkit';
import { seededRandom } from '@svc/testkit/simulation/random';
import { RandomDocuments } from './testing/random-documents.ts';
import * as shops from './testing/shop.ts';

const SEED = process.env['DOCUMENTS_SEED'] ?? '1';
const COUNT = Number(process.env['DOCUMENTS'] ?? 150);
const AT_ONCE = 8;
const LONGEST_MS = 20 * 60_000;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

interface Refused {
  error: { code: string; issues?: { field: string; rule: string; params?: object }[]; details?: Record<string, string[]> };
}
type Answered = shops.Document & Refused & { fiscal: { warnings?: object[] } };

/** What became of one: the document, or null where it was refused before it had a number. */
async function issued(shop: shops.Shop, random: RandomDocuments, n: number): Promise<{ asked: object; document: shops.Document | null }> {
  const customer = await shop.call<{ id: string } & Refused>('POST', '/customers', { body: random.customer() });
  // A number that is none of its country's is refused with the customer.
  const customer_id = customer.status === 201 ? customer.body.id : shop.customer_id;
  const isReceipt = n % 3 === 2;
  const asked = isReceipt ? random.receipt() : { ...random.invoice(), customer_id };
  const path = isReceipt ? '/receipts' : '/invoices';
  const draft = await shop.call<Answered>('POST', path, { body: asked });
  const answer = isReceipt || draft.status !== 201 ? draft : await shop.call<Answered>('POST', `/invoices/${draft.body.id}/submit`);
  if (answer.status === 200 || answer.status === 201) return { asked, document: answer.body };
  // Never less than a field and what is wrong with it.
  expect([asked, answer.status, Object.keys(answer.body.error.details ?? {}).length > 0]).toEqual([asked, 422, true]);
  return { asked, document: null };
}

test.each(shops.nationalAuthorities)(
  `of ${COUNT} random documents %s registers each that has a number, without a warning, and each other one is refused by its field`,
  async (authority) => {
    const shop = await shops.openShop(system, authority);
    const random = seededRandom(`${authority} ${SEED}`);
    const one = (n: number) => issued(shop, new RandomDocuments(authority, random.fork(String(n))), n);
    const all: Awaited<ReturnType<typeof issued>>[] = [];
    for (let n = 0; n < COUNT; n += AT_ONCE)
      all.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, COUNT - n) }, (_, k) => one(n + k)))));
    const numbered = all.flatMap(({ asked, document }) => (document ? [{ asked, document }] : []));
    const wrong: object[] = [];
    const ends: shops.Document[] = [];
    for (const { asked, document } of numbered)
      try {
        const end = (await shops.untilFiscal(shop, document)) as Answered;
        ends.push(end);
        if (end.fiscal.warnings?.length) wrong.push({ asked, warnings: end.fiscal.warnings });
      } catch (error) {
        wrong.push({ asked, error: String(error) });
      }
    console.info(JSON.stringify({ authority, seed: SEED, issued: all.length, registered: ends.length }));
    expect(wrong).toEqual([]);
    expect(ends.length).toBeGreaterThan(COUNT / 5);
    await shops.expectOneEach(system, shop, ends);
    expect((await shops.atAuthority(system, shop)).missing).toBe(0);
  },
  LONGEST_MS,
);
