import { openArena, type Arena } from './arena.suite.ts';
import { longInvoice } from './invoices.suite.ts';

let arena: Arena;
beforeAll(async () => (arena = await openArena()));
afterAll(() => arena?.close());

const INVOICES = 3_000;
const AT_ONCE = 4;

test(`${INVOICES} invoices of 170 KB, each changed, do not fill the memory`, async () => {
  const { call, customer } = arena.attacker;
  const raw = JSON.stringify(longInvoice(customer, 170));
  await arena.during(async () => {
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
});
