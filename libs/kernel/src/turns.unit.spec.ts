import { settleTurns } from './clock.ts';
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
  const busy = async (ms: number): Promise<void> => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  const turns: string[] = [];
  const turn = (name: string) => async (): Promise<void> => void turns.push(name);
  beforeEach(async () => {
    await settleTurns(2);
    turns.length = 0;
  });

  test('reads wait for a turn once others have taken a millisecond of this one', async () => {
    const none = async (): Promise<void> => undefined;
    await Promise.all([atOnce(turn('first'), none), atOnce(turn('second'), () => busy(2)), atOnce(turn('third'), none)]);
    await settleTurns(2);
    await atOnce(turn('later'), none);
    expect(turns).toEqual(['third']);
  });

  test('reads that wait go on in one turn, in rotation of accounts', async () => {
    const read: string[] = [];
    const ask = (name: string) =>
      atOnce(
        () => nextTurn(name[0] as string),
        async () => void read.push(name),
      );
    void atOnce(turn('first'), () => busy(2));
    for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name);
    expect(read).toEqual([]);
    await settleTurns(2);
    expect(read).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('a read that fails counts too, and one whose turn does not come is not begun', async () => {
    await expect(atOnce(turn('first'), () => busy(2).then(() => Promise.reject(new Error('unread'))))).rejects.toThrow('unread');
    let isRead = false;
    const read = async (): Promise<void> => void (isRead = true);
    await expect(atOnce(() => Promise.reject(new Error('gone')), read)).rejects.toThrow('gone');
    expect(isRead).toBe(false);
  });
});
