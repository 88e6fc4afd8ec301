import { HUGE } from '../e2e/testing/accounts.ts';
import { openAttack, type AttackFixture } from './testing/fixture.ts';

const MIB = 1024 * 1024;
const QUOTA = 20 * MIB;
/** By which a count may be late, and a second for the answer. */
const LATE_MS = 11_000;
const DOCUMENTS = 12;
const LINES = 250;

interface Batch {
  data: { resource: { id: string } }[];
}

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack({ limits: { ...HUGE, storage: QUOTA } })));
afterAll(() => fixture?.close());

// An account copies a long description of a product on thousands of lines, which costs it little to send, until its storage is used up.
test('an account that fills the disk creates nothing any more within 10 s, ends what it has begun, and delays no other', async () => {
  const { call, customer } = fixture.attacker;
  const description = Array.from({ length: 200 }, (_, n) => `word ${n}`).join(' ');
  const product = await call<{ id: string }>('POST', '/products', { body: { name: 'P', description, unit_price: 1, tax_rate: 0 } });
  const items = Array.from({ length: LINES }, () => ({ product_id: product.body.id }));
  const body = { requests: Array.from({ length: DOCUMENTS }, () => ({ customer_id: customer, items })) };
  const fill = (key: string) => call<Batch>('POST', '/invoices/batch', { body, headers: { 'idempotency-key': key } });

  let [answered, sent] = [0, 0];
  const made: string[] = [];
  const statuses: Record<number, number> = {};
  await fixture.during(async () => {
    // What is answered is more than what is stored of events. One at a time: a plan admits no more for long.
    while (answered < 3 * QUOTA) {
      const { status, text, body: batch } = await fill(`fill-${(sent += 1)}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) break;
      answered += text.length;
      made.push(...batch.data.map(({ resource }) => resource.id));
    }
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    for (let n = 0; n < 20; n += 1) {
      const refused = await fill(`refused-${n}`);
      expect([refused.status, refused.headers.get('x-storage-used'), refused.text]).toEqual([
        422,
        '1.00',
        expect.stringContaining('storage_quota_exceeded'),
      ]);
    }
  });
  console.log(JSON.stringify({ answered, statuses }));
  const [draft, other] = made;
  expect((await call('POST', `/invoices/${draft}/submit`)).status).toBe(200);
  expect((await call('POST', `/invoices/${other}/void`)).status).toBe(200);
  expect((await call('GET', `/invoices/${draft}`)).status).toBe(200);
});
