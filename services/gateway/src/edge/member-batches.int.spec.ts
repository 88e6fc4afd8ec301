import { changeAccount } from '../accounts/change-account.ts';
import { code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner } = consoleOf(() => edge);

type Self = Awaited<ReturnType<typeof owner>>['self'];

const batch = (self: Self, items: number) =>
  self.call('POST', '/v1/customers/batch', {
    ...{ livemode: false, body: { requests: Array.from({ length: items }, () => ({ name: 'Ana' })) } },
  });
const left = async (self: Self): Promise<number> => Number((await self.call('GET', '/me')).headers['x-ratelimit-remaining']);

test('every ten items of a batch, rounded up, are one request of the member', async () => {
  const { self } = await owner();
  const costs: number[] = [];
  for (const items of [1, 10, 11, 100]) {
    const before = await left(self);
    const { status, headers } = await batch(self, items);
    expect(status).toBe(200);
    const after = await left(self);
    expect(Number(headers['x-ratelimit-remaining'])).toBe(after + 1);
    costs.push(before - after - 1);
  }
  expect(costs).toEqual([1, 1, 2, 10]);
});

test('batches beyond the limit of the member are refused whole, do nothing and cost nothing', async () => {
  const { self } = await owner();
  const admitted: string[] = [];
  for (let n = 0; n < 40; n += 1) admitted.push(code(await batch(self, 100)));
  const most = admitted.filter((one) => one === '200').length;
  expect([most < 31, new Set(admitted)]).toEqual([true, new Set(['200', '429 rate_limit_exceeded'])]);
  const [before, done] = [await left(self), edge.work.commands.length];
  expect(code(await batch(self, 100))).toBe('429 rate_limit_exceeded');
  expect([before - (await left(self)), edge.work.commands.length]).toEqual([1, done]);
});

test('submissions that the account has no capacity for cost the member nothing', async () => {
  const { self, account } = await owner();
  await changeAccount(edge.gateway.accounts, account, { limits: { submit: 15 } }, { actor: { type: 'system', id: 'operator' } });
  await edge.clock.advance(60_000);
  const submit = (ids: number) =>
    self.call('POST', '/v1/invoices/batch/submit', { livemode: false, body: { ids: Array.from({ length: ids }, (_, n) => `inv_${n}`) } });
  expect(code(await submit(12))).toBe('200');
  const before = await left(self);
  expect(code(await submit(12))).toBe('429 rate_limit_exceeded');
  expect(before - (await left(self))).toBe(1);
  expect(code(await submit(3))).toBe('200');
});
