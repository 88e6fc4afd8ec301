import { register } from '@svc/service';
import { observingClock } from './clock-difference.ts';

const NAME = 'svc_authority_clock_difference_seconds';
const answering = (date: string | undefined) => async () => ({ status: 200, headers: { date }, body: Buffer.alloc(0) });
const request = { method: 'POST' as const, url: 'http://authority.test/', headers: {}, deadlineMs: 1_000 };
const clock = { now: () => Date.parse('2026-03-01T10:05:00Z') };

test('a metric has by how much the clocks differ, as the last answer says; one without a date changes nothing', async () => {
  await observingClock(answering('Sun, 01 Mar 2026 10:00:00 GMT'), { authority: { id: 'al-cis' }, env: 'live' }, clock)(request);
  expect(await register.getSingleMetricAsString(NAME)).toContain('{authority="al-cis",env="live"} 300');
  await observingClock(answering(undefined), { authority: { id: 'al-cis' }, env: 'live' }, clock)(request);
  await observingClock(answering('soon'), { authority: { id: 'al-cis' }, env: 'live' }, clock)(request);
  expect(await register.getSingleMetricAsString(NAME)).toContain('{authority="al-cis",env="live"} 300');
});
