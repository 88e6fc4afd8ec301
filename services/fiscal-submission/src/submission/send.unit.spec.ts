import { ClientRefused, NoTurn, NotSent } from '../sending/http.ts';
import { isAnswer } from './answered.ts';
import { send } from './send.ts';

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
