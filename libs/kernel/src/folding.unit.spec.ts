import { StateCache, stateMemory } from './folding.ts';

const KiB = 1_024;
const at = (revision: bigint, bytes = 10 * KiB, commands: string[] = []) => ({
  state: `state ${revision}`,
  revision,
  commands: new Set(commands),
  bytes,
});

describe('state cache', () => {
  test('evicts the least recently used states above its size in bytes', () => {
    const cache = new StateCache<string>({ memory: stateMemory(25 * KiB) });
    cache.set('a', at(0n));
    cache.set('b', at(0n));
    cache.get('a');
    cache.set('c', at(0n));
    expect(['a', 'b', 'c'].map((stream) => cache.get(stream)?.state)).toEqual(['state 0', undefined, 'state 0']);
  });

  test('replaces the state of the same stream', () => {
    const cache = new StateCache<string>({ memory: stateMemory(25 * KiB) });
    cache.set('a', at(0n));
    cache.set('b', at(0n));
    cache.set('b', at(1n));
    expect([cache.get('a')?.revision, cache.get('b')?.revision]).toEqual([0n, 1n]);
  });

  test('delete removes a state and frees its bytes', () => {
    const memory = stateMemory(1_024 * KiB);
    const cache = new StateCache<string>({ memory });
    cache.set('a', at(0n));
    cache.delete('a');
    cache.delete('a');
    expect([cache.get('a'), memory.calculatedSize]).toEqual([undefined, 0]);
  });

  test('does not keep a state that is larger than the memory', () => {
    const memory = stateMemory(25 * KiB);
    const cache = new StateCache<string>({ memory });
    cache.set('a', at(0n, 26 * KiB));
    expect([cache.get('a'), memory.calculatedSize]).toEqual([undefined, 0]);
  });

  test('counts at most mostBytes for a state', () => {
    const memory = stateMemory(25 * KiB);
    const cache = new StateCache<string>({ memory, mostBytes: 5 * KiB });
    for (const stream of ['a', 'b', 'c', 'd']) cache.set(stream, at(0n, 1_000 * KiB));
    expect(['a', 'b', 'c', 'd'].map((stream) => cache.get(stream)?.bytes)).toEqual(Array(4).fill(1_000 * KiB));
    cache.set('e', at(0n));
    expect(cache.get('a')).toBeUndefined();
  });

  test('caches that share a memory share its bound and do not see the states of each other', () => {
    const memory = stateMemory(100 * KiB);
    const caches = Array.from({ length: 4 }, () => new StateCache<string>({ memory }));
    for (let n = 0; n < 1_000; n += 1) caches.forEach((cache, which) => cache.set(`stream ${n % 60}`, at(BigInt(which))));
    expect(memory.calculatedSize).toBeLessThanOrEqual(100 * KiB);
    expect(memory.calculatedSize).toBeGreaterThan(80 * KiB);
    expect(caches.map((cache) => cache.get('stream 39')?.revision)).toEqual([0n, 1n, 2n, 3n]);
  });

  test('counts the overhead of entries and command ids', () => {
    const memory = stateMemory(100 * KiB);
    const cache = new StateCache<string>({ memory });
    for (let n = 0; n < 10_000; n += 1) cache.set(`stream ${n}`, at(0n, 1));
    const kept = (): number => Array.from({ length: 10_000 }, (_, n) => cache.get(`stream ${n}`)).filter(Boolean).length;
    expect(kept()).toBeLessThan(200);
    cache.set(
      'often changed',
      at(
        0n,
        1,
        Array.from({ length: 900 }, (_, n) => `command ${n}`),
      ),
    );
    expect(memory.calculatedSize).toBeLessThanOrEqual(100 * KiB);
    expect(kept()).toBeLessThan(40);
  });
});
