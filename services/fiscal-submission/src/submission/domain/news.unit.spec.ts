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
function newsAfter(results: Result[], before: Command[] = [open()]): (News | undefined)[] {
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

test('an outage is news with the first attempt, not with each', () => {
  const news = { ...about, status: 'pending', fixable: null };
  expect(newsAfter([deferred, deferred, deferred])).toEqual([news, undefined, undefined]);
});

test('another code is news, and so is the first one after it', () => {
  expect(newsAfter([failing('a'), failing('b'), failing('b'), failing('a')]).map((news) => news?.status)).toEqual([
    'pending',
    'pending',
    undefined,
    'pending',
  ]);
});

test('a doubt is news, and after it once that credentials have to be fixed', () => {
  const news = newsAfter([unknown, absent, certificate, certificate, certificate]);
  expect(news).toEqual([
    { ...about, status: 'unknown', fixable: null },
    undefined,
    { ...about, status: 'unknown', fixable: 'credentials' },
    undefined,
    undefined,
  ]);
});

test('an attempt with an outcome has no news beside it', () => {
  const started = after(open(), start('submit'));
  for (const result of [registered, rejected]) expect(newsOf(then(started, end(1, result)))).toEqual([undefined]);
});

test('codes that alternate are news twenty times in a round, and again in the next', () => {
  const codes = Array.from({ length: 50 }, (_, n) => failing(n % 2 === 0 ? 'a' : 'b'));
  expect(newsAfter(codes).filter(Boolean)).toHaveLength(20);
  const alternating = codes.flatMap((result, n) => tried('submit', n + 1, result));
  const next = [open(), ...alternating, ...tried('submit', 51, rejected), open(2), start('submit', 2)];
  expect(newsOf(then(after(...next), end(52, deferred)))).toEqual([{ ...about, round: 2, status: 'pending', fixable: null }]);
});

test('a doubt is news however much news there was before', () => {
  const codes = Array.from({ length: 30 }, (_, n) => failing(n % 2 === 0 ? 'a' : 'b'));
  expect(newsAfter([...codes, unknown]).at(-1)?.status).toBe('unknown');
});

test('beyond the stored attempts another error is stored, since it is news', () => {
  const many = Array.from({ length: MAX_STORED_ATTEMPTS }, (_, n) => tried('submit', n + 1, deferred)).flat();
  const state = after(open(), ...many);
  expect(then(state, end(201, deferred))).toEqual([]);
  expect(newsOf(then(state, end(201, failing('other'))))).toEqual([{ ...about, status: 'pending', fixable: null }]);
});

test('events of the release before, which only say that there is a doubt, count as news', () => {
  const state = after(open(), ...tried('submit', 1, unknown));
  expect(state).toMatchObject({ reported: { code: 'no_answer', fixable: null, codeChanges: 1 } });
});

test('codes that alternate leave room for news of the certificate, and the reverse', () => {
  const codes = Array.from({ length: 60 }, (_, n) => failing(n % 2 === 0 ? 'a' : 'b'));
  expect(newsAfter([...codes, unknown, certificate]).at(-1)).toMatchObject({ status: 'unknown', fixable: 'credentials' });
  const fixables = Array.from({ length: 120 }, (_, n) => (n % 2 === 0 ? certificate : failing('a')));
  expect(newsAfter([unknown, ...fixables]).filter(Boolean)).toHaveLength(21);
});

test('a process that died in a call is in doubt, and hides no error that is known', () => {
  const died: Result = { kind: 'unknown', error: { code: INTERRUPTED, message: 'm' } };
  expect(newsAfter([unknown, certificate, died, certificate]).map((news) => news?.fixable)).toEqual([
    null,
    'credentials',
    undefined,
    undefined,
  ]);
  expect(newsAfter([died])).toMatchObject([{ status: 'unknown' }]);
});
