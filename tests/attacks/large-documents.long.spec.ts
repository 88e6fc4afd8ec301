import { eventually } from '@svc/testkit';
import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { longInvoice, wideInvoice } from './testing/invoices.ts';

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack()));
afterAll(() => fixture?.close());

const ROUNDS = 40;

interface Issuer {
  units: object[];
}

test('refuses or registers documents at every limit at once, without delaying others', async () => {
  const { call, customer } = fixture.attacker;
  const address = {
    line1: 'x'.repeat(255),
    line2: 'y'.repeat(255),
    city: 'z'.repeat(255),
    postal_code: '1'.repeat(20),
    region: 'r'.repeat(255),
    country: 'FR',
  };
  const units = Array.from({ length: 100 }, (_, n) => ({
    code: `U${n}`,
    address,
    devices: Array.from({ length: 20 }, (_, d) => `D${n}x${d}`),
  }));
  const statuses: number[] = [];
  const submitted: string[] = [];
  await fixture.during(async () => {
    for (const some of [units, units.slice(0, 40), units.slice(0, 20), units.slice(0, 10)])
      statuses.push((await call<Issuer>('PATCH', '/issuer', { body: { units: some } })).status);
    const bodies = [
      wideInvoice(customer),
      wideInvoice(customer, { lines: 100 }),
      longInvoice(customer, 250),
      wideInvoice(customer, { lines: 450, taxes: 2 }),
    ];
    // Many rounds, since one ends before enough requests of others are measured.
    for (const body of Array.from({ length: ROUNDS }, () => bodies).flat()) {
      const made = await call<{ id: string }>('POST', '/invoices', { body });
      statuses.push(made.status);
      if (made.status !== 201) continue;
      const { status } = await call('POST', `/invoices/${made.body.id}/submit`, { body: {} });
      statuses.push(status);
      if (status === 200) submitted.push(made.body.id);
    }
  });
  expect(statuses.filter((status) => ![200, 201, 422].includes(status))).toEqual([]);
  expect(submitted.length).toBeGreaterThan(0);
  for (const id of submitted)
    await eventually(async () => (await call<{ status: string }>('GET', `/invoices/${id}`)).body.status === 'submitted', `${id} submitted`);
  const page = await fetch(`${fixture.system.ops}/readyz`);
  expect(page.status).toBe(200);
});
