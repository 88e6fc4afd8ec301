import { register } from 'prom-client';
import { countFailures } from './store-span.ts';

const shown = (): Promise<string> => register.getSingleMetricAsString('svc_store_failures_total');

test('counts failed reads and writes of a store from 0 on, passes them on, and does not count what is an answer', async () => {
  const counted = countFailures('things', (error) => error instanceof RangeError);
  expect(await shown()).toContain('{store="things",operation="read"} 0');
  expect(await counted('read', async () => 'found')).toBe('found');
  await expect(counted('write', () => Promise.reject(new RangeError('too late')))).rejects.toThrow(RangeError);
  await expect(counted('write', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  expect(await shown()).toContain('{store="things",operation="read"} 0');
  expect(await shown()).toContain('{store="things",operation="write"} 1');
});
