import { openAttack, type AttackFixture } from './testing/fixture.ts';

/** Limits of the plan "professional". */
const PROFESSIONAL = { plan: 1_000, burst: 100 };
const AT_ONCE = 8;
const FOR_MS = 30_000;

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack({ limits: PROFESSIONAL })));
afterAll(() => fixture?.close());

const filled = (element: string, size: number): string =>
  `[${Array(Math.floor((size - 64) / (element.length + 1)))
    .fill(element)
    .join()}]`;
const body = (field: string, element: string): string => `{"customer_id":"cust_1","${field}":${filled(element, 262_144)}}`;

const worst: [method: string, path: string, raw: string][] = [
  ['POST', '/invoices', body('items', '0')],
  ['POST', '/invoices', body('items', '{}')],
  ['POST', '/invoices', body('discounts', '{}')],
  ['POST', '/invoices', body('items', '{"unit_price":1,"taxes":[{},{}]}')],
  ['POST', '/receipts', body('items', '0')],
  ['POST', '/receipts', body('payments', '{}')],
  ['PATCH', '/issuer', `{"units":${filled('{}', 262_144)}}`],
  ['POST', '/invoices', `{${Array.from({ length: 20_000 }, (_, n) => `"f${n}":0`).join()}}`],
];

test('serves others during bodies with an error in every field', async () => {
  const { key } = fixture.attacker;
  const statuses = new Map<number, number>();
  await fixture.during(async () => {
    const until = Date.now() + FOR_MS;
    const one = async (n: number): Promise<void> => {
      for (let at = n; Date.now() < until; at += AT_ONCE) {
        const [method, path, raw] = worst[at % worst.length] as (typeof worst)[number];
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const answer = await fetch(`${fixture.system.url}/v1${path}`, { method, headers, body: raw });
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => one(n)));
  });
  expect([...statuses.keys()].filter((status) => ![400, 422, 429].includes(status))).toEqual([]);
  expect(statuses.get(422)).toBeGreaterThan(100);
});
