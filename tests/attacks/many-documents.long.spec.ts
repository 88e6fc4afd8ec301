import { openAttack, type AttackFixture } from './testing/fixture.ts';
import { longInvoice } from './testing/invoices.ts';

let fixture: AttackFixture;
beforeAll(async () => (fixture = await openAttack()));
afterAll(() => fixture?.close());

const INVOICES = 3_000;
const AT_ONCE = 4;

test(`bounds memory during ${INVOICES} invoices of 170 KB, each changed once`, async () => {
  const { call, customer } = fixture.attacker;
  const raw = JSON.stringify(longInvoice(customer, 170));
  await fixture.during(async () => {
    let made = 0;
    const one = async (): Promise<void> => {
      while (made < INVOICES) {
        made += 1;
        const { status, body } = await call<{ id: string }>('POST', '/invoices', { raw });
        expect(status).toBe(201);
        expect((await call('PATCH', `/invoices/${body.id}`, { body: { notes: 'changed' } })).status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  });
}, 600_000);
