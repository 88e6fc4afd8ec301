import { FakeClock } from '@svc/kernel';
import type { Pool } from 'undici';
import { createPools, type Target } from './pools.ts';

const target = (more: Partial<Target> = {}): Target => ({
  account: 'acct_1',
  origin: 'https://shop.example',
  address: '93.184.216.34',
  ...more,
});

function fixture() {
  const clock = new FakeClock();
  const pools = createPools(clock);
  const used = (more?: Partial<Target>): Pool => {
    let pool: Pool | undefined;
    pools.use(target(more), (its, _, end) => {
      pool = its;
      end();
    });
    return pool as Pool;
  };
  return { clock, pools, used };
}

test('makes a pool per account, origin and address', () => {
  const { used } = fixture();
  const first = used();
  expect(used()).toBe(first);
  for (const other of [{ account: 'acct_2' }, { origin: 'https://shop.example:8443' }, { address: '93.184.216.35' }])
    expect(used(other)).not.toBe(first);
});

test('closes a pool 15 s after its last use, never while it is used', async () => {
  const { clock, pools, used } = fixture();
  let end = (): void => undefined;
  pools.use(target(), (_pool, _connected, its) => (end = its));
  await clock.advance(60_000);
  expect(pools.size()).toBe(1);
  end();
  end(); // Once more changes nothing.
  await clock.advance(14_000);
  const pool = used();
  await clock.advance(14_999);
  expect([pools.size(), pool.closed]).toEqual([1, false]);
  await clock.advance(1);
  expect([pools.size(), pool.closed]).toEqual([0, true]);
});

test('keeps at most 1,000 idle pools and closes the least recently used first', async () => {
  const { pools, used } = fixture();
  const oldest = used({ account: 'oldest' });
  for (let n = 0; n < 1_200; n += 1) used({ account: `acct_${n}` });
  expect([pools.size(), oldest.closed]).toEqual([1_000, true]);
  await pools.close();
});
