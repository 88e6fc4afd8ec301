import { settleTurns } from './clock.ts';
import { nextTurn } from './turns.ts';

test('turns rotate over accounts, however many callers one has; callers of an account keep their order', async () => {
  const served: string[] = [];
  const ask = (name: string) => void nextTurn(name[0] as string).then(() => served.push(name));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) ask(name);
  await settleTurns(20);
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an account that asks again in its turn comes after the others', async () => {
  const served: string[] = [];
  const work = async (account: string, times: number) => {
    for (let n = 1; n <= times; n += 1) {
      await nextTurn(account);
      served.push(`${account}${n}`);
    }
  };
  const all = Promise.all([work('a', 2), work('a', 2), work('b', 2)]);
  await settleTurns(1);
  await all;
  expect(served.filter((name) => name.startsWith('b'))).toEqual(['b1', 'b2']);
  expect(served.indexOf('b2')).toBeLessThan(4);
});

test('resolves one caller in each turn of the event loop', async () => {
  let served = 0;
  for (const account of ['a', 'b', 'c']) void nextTurn(account).then(() => (served += 1));
  for (const expected of [1, 2, 3]) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(served).toBe(expected);
  }
});
