import { recentlyUsed } from './recently-used.ts';

test('the value that was used least recently is dropped, and reported, when there is one too many', () => {
  const dropped: [number, string][] = [];
  const cache = recentlyUsed<number>(2, (value, key) => dropped.push([value, key]));
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  cache.set('a', 4);
  cache.delete('c');
  expect(dropped).toEqual([[2, 'b']]);
});
