import { FakeClock } from '@svc/kernel';
import { createLineLimit, type Suppressed } from './line-limit.ts';

const setUp = () => {
  const clock = new FakeClock();
  const reported: Suppressed[] = [];
  const limit = createLineLimit(clock, (suppressed) => reported.push(suppressed));
  const allowed = (scope: string, lines: number): number => Array.from({ length: lines }, () => limit.allows(scope)).filter(Boolean).length;
  return { clock, reported, limit, allowed };
};

describe('lines of a scope', () => {
  test('are written up to a burst, then one per second; the others are counted and reported once a minute', async () => {
    const { clock, reported, allowed } = setUp();
    expect([allowed('acct_1', 200), allowed('acct_2', 10)]).toEqual([100, 10]);
    await clock.advance(5_000);
    expect(allowed('acct_1', 100)).toBe(5);
    expect(reported).toEqual([]);
    await clock.advance(55_000);
    expect(reported).toEqual([{ scope: 'acct_1', count: 195 }]);
    await clock.advance(600_000);
    expect([reported.length, clock.nextAt()]).toEqual([1, undefined]);
  });

  test('of evicted scopes are counted together', () => {
    const { reported, limit, allowed } = setUp();
    expect(allowed('ip 192.0.2.1', 150)).toBe(100);
    for (let n = 0; n < 5_000; n += 1) limit.allows(`ip 2001:db8:${n.toString(16)}::/64`);
    limit.close();
    expect(reported.at(-1)).toMatchObject({ scope: undefined });
    expect(reported.reduce((sum, { count }) => sum + count, 0)).toBe(50 + 5_000 - 900);
  });

  test('a clock that goes back adds no tokens', async () => {
    let now = 1_000_000;
    const limit = createLineLimit({ now: () => now, after: () => () => undefined }, () => undefined);
    for (let n = 0; n < 101; n += 1) limit.allows('x');
    now -= 500_000;
    expect(limit.allows('x')).toBe(false);
    now += 2_000;
    expect(limit.allows('x')).toBe(true);
  });
});
