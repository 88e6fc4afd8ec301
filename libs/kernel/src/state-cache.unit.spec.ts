import { StateCache } from './state-cache.ts';

const at = (revision: bigint) => ({ state: `state ${revision}`, revision, commands: new Set<string>() });

describe('state cache', () => {
  test('keeps those used last', () => {
    const cache = new StateCache<string>(2);
    cache.set('a', at(0n));
    cache.set('b', at(0n));
    cache.get('a');
    cache.set('c', at(0n));
    expect(['a', 'b', 'c'].map((stream) => cache.get(stream)?.state)).toEqual(['state 0', undefined, 'state 0']);
  });

  test('one more of the same stream takes no more room', () => {
    const cache = new StateCache<string>(2);
    cache.set('a', at(0n));
    cache.set('b', at(0n));
    cache.set('b', at(1n));
    expect([cache.get('a')?.revision, cache.get('b')?.revision]).toEqual([0n, 1n]);
  });

  test('what is dropped is gone', () => {
    const cache = new StateCache<string>();
    cache.set('a', at(0n));
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
  });
});
