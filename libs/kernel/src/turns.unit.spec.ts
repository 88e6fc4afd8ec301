import { settleTurns } from './fake-clock.ts';
import { atOnce, nextTurn } from './turns.ts';

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

describe('atOnce', () => {
  const turns: string[] = [];
  const turn = (name: string) => async (): Promise<void> => void turns.push(name);
  const reading = (bytes: number, name: string) =>
    atOnce(
      turn(name),
      async () => bytes,
      (found) => found,
    );
  beforeEach(async () => {
    await settleTurns(2);
    turns.length = 0;
  });

  test('reads wait for a turn once others have found 128 KiB in this one, however many they were', async () => {
    await reading(100_000, 'first');
    await reading(40_000, 'second');
    await reading(0, 'third');
    await settleTurns(2);
    for (let n = 1; n <= 70; n += 1) await reading(0, `small ${n}`);
    expect(turns).toEqual(['third', ...[65, 66, 67, 68, 69, 70].map((n) => `small ${n}`)]);
  });

  test('reads that wait go on in one turn, in rotation of accounts', async () => {
    const read: string[] = [];
    const ask = (name: string) =>
      atOnce(
        () => nextTurn(name[0] as string),
        async () => void read.push(name),
        () => 0,
      );
    await reading(200_000, 'first');
    for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name);
    expect(read).toEqual([]);
    await settleTurns(2);
    expect(read).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('a read whose turn does not come is not begun', async () => {
    await reading(200_000, 'first');
    let isRead = false;
    const read = async (): Promise<void> => void (isRead = true);
    const gone = () => Promise.reject(new Error('gone'));
    await expect(atOnce(gone, read, () => 0)).rejects.toThrow('gone');
    expect(isRead).toBe(false);
  });
});
