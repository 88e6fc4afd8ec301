import { FakeClock } from '@svc/kernel';
import { createLineLimit, type Suppressed } from './line-limit.ts';

const setUp = () => {
  const clock = new FakeClock();
  const reported: Suppressed[] = [];
  const limit = createLineLimit(clock, { atOnce: 30, perMinute: 30 }, (suppressed) => reported.push(suppressed));
  const allowed = (scope: string, lines: number): number => Array.from({ length: lines }, () => limit.allows(scope)).filter(Boolean).length;
  return { clock, reported, limit, allowed };
};

describe('lines of a scope', () => {
  test('are written up to a burst, then one every two seconds; the others are counted and reported once a minute', async () => {
    const { clock, reported, allowed } = setUp();
    expect([allowed('acct_1', 200), allowed('acct_2', 10)]).toEqual([30, 10]);
    await clock.advance(6_000);
    expect(allowed('acct_1', 100)).toBe(3);
    expect(reported).toEqual([]);
    await clock.advance(54_000);
    expect(reported).toEqual([{ scope: 'acct_1', count: 267 }]);
    await clock.advance(600_000);
    expect([reported.length, clock.nextAt()]).toEqual([1, undefined]);
  });

  test('of evicted scopes are counted together', () => {
    const { reported, limit, allowed } = setUp();
    expect(allowed('ip 192.0.2.1', 150)).toBe(30);
    for (let n = 0; n < 5_000; n += 1) limit.allows(`ip 2001:db8:${n.toString(16)}::/64`);
    limit.close();
    expect(reported.at(-1)).toMatchObject({ scope: undefined });
    expect(reported.reduce((sum, { count }) => sum + count, 0)).toBe(120 + 5_000 - 970);
  });

  test('a clock that goes back adds no tokens', async () => {
    let now = 1_000_000;
    const limit = createLineLimit({ now: () => now, after: () => () => undefined }, { atOnce: 30, perMinute: 30 }, () => undefined);
    for (let n = 0; n < 31; n += 1) limit.allows('x');
    now -= 500_000;
    expect(limit.allows('x')).toBe(false);
    now += 2_000;
    expect(limit.allows('x')).toBe(true);
  });
});
