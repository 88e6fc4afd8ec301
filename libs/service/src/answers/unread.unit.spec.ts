import { createUnread, type Unread } from './unread.ts';

describe('unread responses', () => {
  let unread: Unread;
  let cut: string[];
  let releases: Map<string, () => void>;
  beforeEach(() => {
    unread = createUnread({ unreadPerAccount: 100, unreadInAll: 300 });
    cut = [];
    releases = new Map();
  });
  const add = (name: string, bytes: number): void =>
    void releases.set(
      name,
      unread.add(name[0] as string, bytes, () => cut.push(name)),
    );

  test('of an account with too many bytes are cut, the oldest first; other accounts are not affected', () => {
    add('b1', 90);
    for (const name of ['a1', 'a2', 'a3']) add(name, 40);
    expect([cut, unread.of('a'), unread.of('b')]).toEqual([['a1'], 80, 90]);
    add('a4', 90);
    expect([cut, unread.of('a')]).toEqual([['a1', 'a2', 'a3'], 90]);
  });

  test('count until they are read', () => {
    for (const name of ['a1', 'a2']) add(name, 40);
    releases.get('a1')?.();
    releases.get('a1')?.();
    add('a3', 40);
    expect([cut, unread.of('a')]).toEqual([[], 80]);
    for (const name of ['a2', 'a3']) releases.get(name)?.();
    expect([unread.of('a'), unread.of('c')]).toEqual([0, 0]);
  });

  test('of all accounts together are bounded: the account with the most loses its oldest', () => {
    for (const name of ['a', 'b', 'c', 'd']) for (const n of [1, 2]) add(`${name}${n}`, name === 'c' ? 45 : 35);
    expect(cut).toEqual([]);
    add('e1', 30);
    expect(cut).toEqual(['c1']);
    expect(unread.of('e')).toBe(30);
  });

  test('a response larger than the limit is sent and replaces all others of its account', () => {
    for (const [name, bytes] of [
      ['a1', 50],
      ['b1', 50],
      ['a2', 400],
    ] as const)
      add(name, bytes);
    expect([cut, unread.of('a')]).toEqual([['a1', 'b1'], 400]);
    add('c1', 10);
    expect([cut.at(-1), unread.of('a'), unread.of('c')]).toEqual(['a2', 0, 10]);
  });
});
