import type { Command } from './decide.ts';
import { INTERRUPTED } from './facts.ts';
import type { SubmissionEvent } from './events.ts';
import type { News, Result } from './facts.ts';
import { MAX_STORED_ATTEMPTS } from './state.ts';
import { absent, after, deferred, end, open, registered, rejected, start, then, tried, unknown } from './testing/commands.ts';

const about = { document_id: 'inv_1', kind: 'invoice', round: 1, authority: 'sandbox' };
const failing = (code: string): Result => ({ kind: 'deferred', error: { code, message: 'm' } });
const certificate: Result = { kind: 'rejected', error: { code: 'C7', message: 'expired', fixable: 'credentials' } };
const newsOf = (events: SubmissionEvent[]): (News | undefined)[] =>
  events.flatMap(({ type, data }) => (type === 'AttemptEnded' ? [data.news] : []));

/** The news of calls one after the other. */
function told(results: Result[], before: Command[] = [open()]): (News | undefined)[] {
  const first = before.filter((command) => command.do === 'end_attempt').length + 1;
  const commands = [...before];
  return results.map((result, n) => {
    const kind = result.kind === 'absent' ? 'query' : 'submit';
    commands.push(start(kind));
    const news = newsOf(then(after(...commands), end(first + n, result, { kind })))[0];
    commands.push(end(first + n, result, { kind }));
    return news;
  });
}

test('an outage is told with the first attempt, not once an attempt', () => {
  const news = { ...about, status: 'pending', fixable: null };
  expect(told([deferred, deferred, deferred])).toEqual([news, undefined, undefined]);
});

test('another code is told, and the same one again after it', () => {
  expect(told([failing('a'), failing('b'), failing('b'), failing('a')]).map((news) => news?.status)).toEqual([
    'pending',
    'pending',
    undefined,
    'pending',
  ]);
});

test('a doubt is told, and after it that credentials have to be mended, once', () => {
  const news = told([unknown, absent, certificate, certificate, certificate]);
  expect(news).toEqual([
    { ...about, status: 'unknown', fixable: null },
    undefined,
    { ...about, status: 'unknown', fixable: 'credentials' },
    undefined,
    undefined,
  ]);
});

test('what has an outcome is told by the outcome alone', () => {
  const started = after(open(), start('submit'));
  for (const result of [registered, rejected]) expect(newsOf(then(started, end(1, result)))).toEqual([undefined]);
});

test('codes that alternate are told twenty times in a round, and again in the next', () => {
  const codes = Array.from({ length: 50 }, (_, n) => failing(n % 2 === 0 ? 'a' : 'b'));
  expect(told(codes).filter(Boolean)).toHaveLength(20);
  const alternating = codes.flatMap((result, n) => tried('submit', n + 1, result));
  const next = [open(), ...alternating, ...tried('submit', 51, rejected), open(2), start('submit', 2)];
  expect(newsOf(then(after(...next), end(52, deferred)))).toEqual([{ ...about, round: 2, status: 'pending', fixable: null }]);
});

test('a doubt is told however often something was told before', () => {
  const codes = Array.from({ length: 30 }, (_, n) => failing(n % 2 === 0 ? 'a' : 'b'));
  expect(told([...codes, unknown]).at(-1)?.status).toBe('unknown');
});

test('beyond the stored attempts another error is stored, since it is told', () => {
  const many = Array.from({ length: MAX_STORED_ATTEMPTS }, (_, n) => tried('submit', n + 1, deferred)).flat();
  const state = after(open(), ...many);
  expect(then(state, end(201, deferred))).toEqual([]);
  expect(newsOf(then(state, end(201, failing('other'))))).toEqual([{ ...about, status: 'pending', fixable: null }]);
});

test('events of the release before, which only say that there is a doubt, count as told', () => {
  const state = after(open(), ...tried('submit', 1, unknown));
  expect(state).toMatchObject({ told: { code: 'no_answer', fixable: null, times: 1 } });
});

test('codes that alternate leave the certificate its place, and the reverse', () => {
  const codes = Array.from({ length: 60 }, (_, n) => failing(n % 2 === 0 ? 'a' : 'b'));
  expect(told([...codes, unknown, certificate]).at(-1)).toMatchObject({ status: 'unknown', fixable: 'credentials' });
  const repairs = Array.from({ length: 120 }, (_, n) => (n % 2 === 0 ? certificate : failing('a')));
  expect(told([unknown, ...repairs]).filter(Boolean)).toHaveLength(21);
});

test('a process that died in a call tells a doubt, and hides no error that is known', () => {
  const died: Result = { kind: 'unknown', error: { code: INTERRUPTED, message: 'm' } };
  expect(told([unknown, certificate, died, certificate]).map((news) => news?.fixable)).toEqual([null, 'credentials', undefined, undefined]);
  expect(told([died])).toMatchObject([{ status: 'unknown' }]);
});
