import { connect, type Socket } from 'node:net';
import { eventually } from '@svc/testkit';
import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { longInvoice } from './testing/invoices.ts';

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack()));
afterAll(() => fixture?.close());

const PAGE = '/v1/invoices?per_page=100';

test('serves others and bounds memory during 90 pages of 25 MB, some never read', async () => {
  const { call, key, customer } = fixture.attacker;
  for (let n = 0; n < 100; n += 1) expect((await call('POST', '/invoices', { body: longInvoice(customer, 250) })).status).toBe(201);
  const statuses: number[] = [];
  const stalled: Socket[] = [];
  await fixture.during(async () => {
    for (let n = 0; n < 30; n += 1) {
      const socket = connect(Number(new URL(fixture.system.url).port), '127.0.0.1').on('error', () => undefined);
      socket.pause().write(`GET ${PAGE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
      stalled.push(socket);
    }
    const lists = Array.from({ length: 60 }, async () => {
      const answer = await fetch(fixture.system.url + PAGE, { headers: { authorization: `Bearer ${key}` } });
      const text = await answer.text();
      statuses.push(answer.status);
      if (answer.status === 200) expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(100);
      else expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
    });
    await Promise.all(lists);
  });
  for (const socket of stalled) socket.destroy();
  console.log(JSON.stringify({ whole: statuses.filter((status) => status === 200).length }));
  // What is never read holds the permits of its account for a while, and of no other.
  const again = await eventually(async () => {
    const { status, body } = await call<{ data: unknown[] }>('GET', '/invoices?per_page=100');
    return status === 200 ? body.data : undefined;
  }, 'a list of the same account');
  expect(again).toHaveLength(100);
});
