import { failsSince } from './fails-since.ts';
import { absent, after, deferred, end, open, registered, start, tried, unknown } from './testing/commands.ts';
import { REFUSED_TOGETHER, type Result } from './facts.ts';
import type { Calling } from './state.ts';
import type { Command } from './decide.ts';

const SINCE = '2026-03-01T10:00:05.000Z';
const fails = (...commands: Command[]) => failsSince(after(open(), ...commands) as Calling);
const times = (count: number, result: Result, from = 1): Command[] =>
  Array.from({ length: count }, (_, n) => tried('submit', from + n, result)).flat();

test('five answers in a row that end nothing are failures, with the first of them and the last code', () => {
  expect(fails(...times(4, deferred))).toBeNull();
  expect(fails(...times(5, deferred))).toEqual({ code: 'unavailable', since: SINCE });
  expect(fails(...times(4, deferred), ...tried('submit', 5, unknown))).toEqual({ code: 'no_answer', since: SINCE });
});

test('what the authority does not know says nothing of the record', () => {
  const rounds = [1, 3, 5, 7].flatMap((n) => [...tried('submit', n, unknown), ...tried('query', n + 1, absent)]);
  expect(fails(...rounds)).toBeNull();
  expect(fails(...rounds, ...tried('submit', 9, unknown))).toMatchObject({ code: 'no_answer' });
});

test('calls without an answer, and sendings that were refused for another record, do not count', () => {
  const silent = (n: number) => [start('submit'), end(n, deferred, { http_status: null })];
  const together: Result = { kind: 'deferred', error: { code: REFUSED_TOGETHER, message: 'm' } };
  expect(fails(...[1, 2, 3, 4, 5, 6].flatMap(silent))).toBeNull();
  expect(fails(...times(6, together))).toBeNull();
});

test('what its owner has to mend by a certificate is no failure of the authority', () => {
  const refused: Result = { ...deferred, fixable: 'credentials' } as Result;
  expect(fails(...times(6, refused))).toBeNull();
});

test('failures before an outcome are over', () => {
  const state = after(open(), ...times(5, deferred), ...tried('submit', 6, registered), {
    ...{ do: 'cancel', cancellation: { sequence: 9, reason: 'r', simulate: null }, at: SINCE },
  });
  expect(failsSince(state as Calling)).toBeNull();
});
