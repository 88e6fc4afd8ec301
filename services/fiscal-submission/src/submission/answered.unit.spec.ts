import { isAnswer, isOfAll, isTaken } from './answered.ts';
import type { Result } from './domain/facts.ts';

const error = { code: '2', message: 'clock' };
const ofAll: Result = { kind: 'deferred', error, fixable: 'setup', ofAll: true };

test('a refusal that waits for setup or certificate is an answer; silence, and what cannot be trusted, is none', () => {
  expect(isAnswer({ kind: 'deferred', error, fixable: 'credentials' })).toBe(true);
  expect(isAnswer({ kind: 'deferred', error })).toBe(false);
  expect(isAnswer({ kind: 'unknown', error })).toBe(false);
  expect(isAnswer({ kind: 'deferred', error: { ...error, code: 'not_sent' } })).toBeNull();
  expect(isAnswer({ kind: 'rejected', error: { ...error, fixable: 'data' } })).toBe(true);
});

test('what is refused for its time holds everything, unless the authority’s clock agrees', () => {
  expect(isOfAll(ofAll, {})).toBe(true);
  expect(isOfAll(ofAll, { aheadMs: -20_000 })).toBe(true);
  expect(isOfAll(ofAll, { aheadMs: 5_000 })).toBe(false);
  expect(isOfAll({ kind: 'deferred', error }, {})).toBe(false);
});

test('a message is taken when it is judged, whatever the judgment; a query is none', () => {
  const rejected: Result = { kind: 'rejected', error: { ...error, fixable: 'data' } };
  expect(isTaken('submit', rejected)).toBe(true);
  expect(isTaken('till', rejected)).toBe(true);
  expect(isTaken('query', { kind: 'absent' })).toBe(false);
  expect(isTaken('submit', ofAll)).toBe(false);
  expect(isTaken('cancel', { kind: 'unknown', error })).toBe(false);
});
