import { ClientRefused, NoTurn, NotSent } from '../sending/http.ts';
import type { Result } from './domain/facts.ts';
import { isAnswer, isOfAll, isTaken, send } from './send.ts';

const message = { kind: 'submit' as const, id: '1', method: 'POST' as const, url: 'https://authority.test/', headers: {} };
const ours = { record_sha256: '', registered: false };
const read = (): never => {
  throw new Error('there is no answer');
};
const resultOf = async (error: Error) => (await send({ deadlineMs: 1, read }, message, ours, () => Promise.reject(error))).result;

test('a certificate that the authority refuses is its issuer’s to mend, and no silence of the authority', async () => {
  const result = await resultOf(new ClientRefused('revoked'));
  expect(result).toMatchObject({ kind: 'deferred', error: { code: 'certificate_refused' }, fixable: 'credentials' });
  expect(isAnswer(result)).toBe(true);
});

test('what was not sent is sent again, and what may have been is in doubt; neither is an answer', async () => {
  const [notSent, lost] = [await resultOf(new NotSent('away')), await resultOf(new Error('reset'))];
  expect([notSent.kind, lost.kind]).toEqual(['deferred', 'unknown']);
  expect([notSent, lost].map(isAnswer)).toEqual([false, false]);
});

test('what waited for its turn until the deadline is sent again, and says nothing about the authority', async () => {
  const result = await resultOf(new NoTurn('many wait'));
  expect(result).toMatchObject({ kind: 'deferred', error: { code: 'not_sent' } });
  expect(isAnswer(result)).toBeNull();
});

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
