import { iso } from '@svc/kernel';
import { hourCounts } from './hours.ts';

const FIRST = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const at = (ms: number, status_code: number | null, duration_ms: number) => ({ at: iso(FIRST + ms), status_code, duration_ms });

test('each attempt is counted in its hour alone, and none before the first or behind the last', () => {
  const count = hourCounts(FIRST, 2);
  count.add([at(-1, 200, 1), at(0, 200, 10), at(HOUR_MS - 1, 500, 30)]);
  count.add([at(HOUR_MS, null, 20), at(2 * HOUR_MS, 200, 1)]);
  expect(count.hours()).toEqual([
    { at: iso(FIRST), succeeded: 1, failed: 1, p50: 30, p95: 30 },
    { at: iso(FIRST + HOUR_MS), succeeded: 0, failed: 1, p50: 20, p95: 20 },
  ]);
});
