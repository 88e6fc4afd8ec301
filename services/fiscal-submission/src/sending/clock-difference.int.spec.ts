import { register } from '@svc/service';
import { dateOf, differenceOf, observeClock } from './clock-difference.ts';

const NAME = 'svc_authority_clock_difference_seconds';
const of = { authority: { id: 'al-cis' }, env: 'live' } as const;
const [startedAt, now] = [Date.parse('2026-03-01T10:04:59Z'), Date.parse('2026-03-01T10:05:01Z')];

test('a metric has by how much the clocks differ, as the last answer says; one without a time changes nothing', async () => {
  observeClock(of, { startedAt, now, times: dateOf({ date: 'Sun, 01 Mar 2026 10:00:00 GMT' }) });
  expect(await register.getSingleMetricAsString(NAME)).toContain('{authority="al-cis",env="live"} 300');
  observeClock(of, { startedAt, now, times: dateOf({}) });
  observeClock(of, { startedAt, now, times: dateOf({ date: 'soon' }) });
  expect(await register.getSingleMetricAsString(NAME)).toContain('{authority="al-cis",env="live"} 300');
});

test('of several times the one counts that differs most', () => {
  const middle = startedAt + 1_000;
  expect(differenceOf({ startedAt, now, times: [middle - 2_000, middle + 40_000] })).toBe(-40_000);
  expect(differenceOf({ startedAt, now, times: [middle - 50_000, middle + 40_000] })).toBe(50_000);
});
