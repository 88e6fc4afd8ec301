import { FakeClock, settleTurns } from '@svc/kernel';
import { createInsideTurns, mostBytes } from './turns.ts';

const MIB = 1024 * 1024;
const documents = (count: number): number => mostBytes(`/v1/invoices?per_page=${count}`);

test('an answer has the bytes of its page: documents are long, what holds none is short', () => {
  expect(documents(20)).toBe(20 * mostBytes('/v1/invoices/inv_1'));
  expect(mostBytes('/v1/events?per_page=20')).toBe(documents(20));
  for (const short of ['/v1/issuer', '/v1/fiscal-credentials', '/v1/customers/cust_1', '/v1/invoices/inv_1/payments?per_page=1'])
    expect([short, mostBytes(short) <= 64 * 1024]).toEqual([short, true]);
});

test('those under way are bounded in bytes, and accounts take turns', async () => {
  const turns = createInsideTurns(new FakeClock());
  let [underWay, most] = [0, 0];
  const order: string[] = [];
  const ask = async (account: string): Promise<void> => {
    const release = await turns.take(account, documents(20));
    order.push(account);
    underWay += documents(20);
    most = Math.max(most, underWay);
    await settleTurns(2);
    underWay -= documents(20);
    release();
  };
  await Promise.all([...Array.from({ length: 40 }, () => ask('busy')), ask('other')]);
  expect(most).toBeLessThan(40 * MIB);
  expect(order.indexOf('other')).toBeLessThan(6);
});

test('short answers do not wait for a service that stands still, and long ones no longer than 10 s', async () => {
  const clock = new FakeClock();
  const turns = createInsideTurns(clock);
  for (let n = 0; n < 2; n += 1) await turns.take('slow', documents(20));
  await turns.take('other', mostBytes('/v1/issuer'));
  const waits = turns.take('other', documents(1));
  const refused = expect(waits).rejects.toMatchObject({ code: 'service_unavailable' });
  await clock.advance(10_000);
  await refused;
});
