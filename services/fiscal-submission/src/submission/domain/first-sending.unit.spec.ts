import { INTERRUPTED, UNREACHABLE, type Result } from './facts.ts';
import { firstSending } from './first-sending.ts';
import type { Calling } from './state.ts';
import { after, AT, deferred, end, LATER, open, start, tried, unknown } from './testing/commands.ts';
import type { Command } from './decide.ts';

const of = (...commands: Command[]) => firstSending(after(open(), ...commands) as Calling);
const put = (code: string): Result => ({ kind: 'deferred', error: { code, message: 'm' } });
const unsent = (n: number): Command[] => [start('submit'), end(n, put('credentials_missing'), { http_status: null })];

test('what was never tried, or found no key, was not sent', () => {
  expect(of()).toEqual({ firstSentAt: null, authorityFailed: false });
  expect(of(...unsent(1))).toEqual({ firstSentAt: null, authorityFailed: false });
});

test('the first attempt that had a key is the first sending', () => {
  expect(of(...unsent(1), { ...start('submit'), at: LATER } as Command, end(2, unknown))).toEqual({
    firstSentAt: LATER,
    authorityFailed: true,
  });
});

test.each<[string, Result, number | null, boolean]>([
  ['an answer that cannot be trusted', unknown, 200, true],
  ['no answer', unknown, null, true],
  ['no connection', put(UNREACHABLE), null, true],
  ['an answer that puts it off, such as for this side’s clock or certificate', put('49'), 500, false],
  ['a process that ends during the call', { kind: 'unknown', error: { code: INTERRUPTED, message: 'm' } }, null, false],
])('%s: whether the authority failed', (_what, result, http_status, authorityFailed) => {
  expect(of(start('submit'), end(1, result, { http_status }))).toEqual({ firstSentAt: AT, authorityFailed });
});

test('what comes later changes nothing of the first sending', () => {
  expect(of(...tried('submit', 1, deferred), ...tried('submit', 2, unknown))).toEqual({ firstSentAt: AT, authorityFailed: false });
});
