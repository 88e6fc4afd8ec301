import { waitAfter } from './next-step.ts';

test('waits between attempts, in seconds', () => {
  const first = (env: 'test' | 'live') => [1, 2, 3, 4, 5, 6, 7, 200].map((failures) => waitAfter(env, failures) / 1000);
  expect(first('test')).toEqual([1, 2, 5, 10, 30, 30, 30, 30]);
  expect(first('live')).toEqual([5, 30, 120, 600, 1800, 3600, 3600, 3600]);
});
