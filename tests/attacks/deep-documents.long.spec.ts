import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { longInvoice } from './testing/invoices.ts';

const INVOICES = 80;
/** Nearly four megabytes of events per invoice, the maximum. */
const CHANGES = 14;
let fixture: AttackFixture;
const ids: string[] = [];

beforeAll(async () => {
  fixture = await openAttack();
  const { call, customer } = fixture.attacker;
  const { items } = longInvoice(customer, 240);
  const changes = Array.from({ length: CHANGES }, (_, n) => JSON.stringify({ items: [{ description: `${n}`, unit_price: 1 }, ...items] }));
  for (let n = 0; n < INVOICES; n += 1) {
    // A small draft that grows.
    const { body } = await call<{ id: string }>('POST', '/invoices', {
      body: { customer_id: customer, items: [{ description: 'Coffee', unit_price: 3 }] },
    });
    ids.push(body.id);
    for (const raw of changes) expect((await call('PATCH', `/invoices/${body.id}`, { raw })).status).toBe(200);
  }
}, 600_000);
afterAll(() => fixture?.close());

const statuses = new Map<number, number>();

/** Reads responses without parsing them: the victim runs in this process, too. */
async function get(path: string): Promise<void> {
  const headers = { authorization: `Bearer ${fixture.attacker.key}` };
  const answer = await fetch(`${fixture.system.url}/v1${path}`, { headers });
  await answer.arrayBuffer();
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
}

/** Rounds of concurrent requests. */
async function rounds(times: number, atOnce: number, path: (n: number) => string): Promise<void> {
  statuses.clear();
  for (let round = 0; round < times; round += 1) await Promise.all(Array.from({ length: atOnce }, (_, n) => get(path(n))));
  console.log(JSON.stringify([...statuses]));
  expect([...statuses.keys()].every((status) => status === 200 || status === 503)).toBe(true);
  expect(statuses.get(200)).toBeGreaterThan(0);
}

test('serves others while many invoices with long histories are read at once', async () => {
  await fixture.during(() => rounds(5, 100, (n) => `/invoices/${ids[n % INVOICES]}`));
});

test('bounds memory while many growing histories are read at once', async () => {
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, fixture.memory())), 20);
  await rounds(2, 600, (n) => `/invoices/${ids[n % INVOICES]}/events?per_page=1&page=9`).finally(() => clearInterval(watch));
  console.log(JSON.stringify({ mostMemory: most }));
  expect(most).toBeLessThanOrEqual(1_024);
});

test('delays no webhook of others during fast small changes of such invoices', async () => {
  await fixture.during(async () => {
    for (let n = 0; n < 480; n += 1) {
      const at = performance.now();
      const { status } = await fixture.attacker.call('PATCH', `/invoices/${ids[n % INVOICES]}`, { body: { metadata: { n: `${n}` } } });
      expect([200, 503]).toContain(status);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, at + 60 - performance.now())));
    }
  });
});
