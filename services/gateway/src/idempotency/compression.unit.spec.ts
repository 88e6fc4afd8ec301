import { createCompression } from './compression.ts';

const body = 'x'.repeat(300_000);

test('responses are compressed one at a time: next is the account with the fewest bytes so far', async () => {
  const { compress, decompress } = createCompression();
  const order: string[] = [];
  const compressed = await compress('greedy', body);
  const read = (account: string, n: number) =>
    decompress(account, async () => {
      order.push(`${account} ${n}`);
      return { bytes: compressed, of: account };
    });
  const greedy = [1, 2, 3, 4].map((n) => read('greedy', n));
  const texts = await Promise.all([...greedy, read('modest', 1)]);
  expect(order).toEqual(['greedy 1', 'modest 1', 'greedy 2', 'greedy 3', 'greedy 4']);
  expect(texts).toEqual([...Array(4).fill({ body, of: 'greedy' }), { body, of: 'modest' }]);
});

test('an account with too many waiting is refused, another one is not, and an error ends one turn alone', async () => {
  const { decompress } = createCompression();
  const broken = () => decompress('greedy', async () => ({ bytes: Buffer.from('no zstd'), of: 1 }));
  const all = await Promise.allSettled(Array.from({ length: 202 }, broken));
  const codes = all.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'done'));
  expect([codes.at(0) === 'service_unavailable', codes.at(-1)]).toEqual([false, 'service_unavailable']);
  expect(await decompress('modest', async () => undefined)).toBeUndefined();
});
