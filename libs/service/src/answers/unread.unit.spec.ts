import { createUnread, type Unread } from './unread.ts';

describe('answers that are not taken', () => {
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

  test('of an account that has too many bytes of them the oldest are cut, of others none', () => {
    add('b1', 90);
    for (const name of ['a1', 'a2', 'a3']) add(name, 40);
    expect([cut, unread.of('a'), unread.of('b')]).toEqual([['a1'], 80, 90]);
    add('a4', 90);
    expect([cut, unread.of('a')]).toEqual([['a1', 'a2', 'a3'], 90]);
  });

  test('what was taken counts no more, once', () => {
    for (const name of ['a1', 'a2']) add(name, 40);
    releases.get('a1')?.();
    releases.get('a1')?.();
    add('a3', 40);
    expect([cut, unread.of('a')]).toEqual([[], 80]);
    for (const name of ['a2', 'a3']) releases.get(name)?.();
    expect([unread.of('a'), unread.of('c')]).toEqual([0, 0]);
  });

  test('when all together have too many, the account that has most gives its oldest', () => {
    for (const name of ['a', 'b', 'c', 'd']) for (const n of [1, 2]) add(`${name}${n}`, name === 'c' ? 45 : 35);
    expect(cut).toEqual([]);
    add('e1', 30);
    expect(cut).toEqual(['c1']);
    expect(unread.of('e')).toBe(30);
  });

  test('an answer larger than the bound is sent, in the place of all the others of its account', () => {
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
