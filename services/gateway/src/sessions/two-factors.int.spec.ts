import { totpCode } from '@svc/kernel/testing/totp-code';
import { type Browser, code, tokenOf } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, owner, invited } = consoleOf(() => edge);

/** Turns them on; `next`: a code that was not taken yet, `recovery`: ten more. */
async function turnedOn(self: Browser): Promise<{ next(): Promise<string>; recovery: string[] }> {
  const secret = String((await self.call('POST', '/me/totp', { body: {} })).body['secret']);
  const { body } = await self.call('POST', '/me/totp/confirm', { body: { code: totpCode(secret, edge.clock.now()) } });
  const next = async (): Promise<string> => {
    await edge.clock.advance(61_000);
    return totpCode(secret, edge.clock.now());
  };
  return { next, recovery: body['recovery_codes'] as string[] };
}

const signIn = (from: Browser, email: string, given: { code?: string } = {}) =>
  from.call('POST', '/session', { body: { email, password: PASSWORD, ...given } });
const stepUp = async (self: Browser, body: object): Promise<string> => code(await self.call('POST', '/session/step-up', { body }));

/** A browser in which the password was right before: a failure there delays no answer. */
async function knownTo(email: string, given: { code?: string }): Promise<Browser> {
  const from = browser();
  expect(code(await signIn(from, email, given))).toBe('200');
  return from;
}

test('a code is good once, whether the authenticator shows it or it is one of ten for recovery', async () => {
  const { self, email } = await owner();
  const { next, recovery } = await turnedOn(self);
  const [first = '', second = ''] = recovery;
  expect(recovery).toHaveLength(10);
  const shown = await next();
  const from = await knownTo(email, { code: shown });
  const answers = [];
  for (const given of [shown, first, first, second]) answers.push(code(await signIn(from, email, { code: given })));
  expect(answers).toEqual(['401 invalid_credentials', '200', '401 invalid_credentials', '200']);
});

test('a sign-in without the code opens nothing but the step that takes it', async () => {
  const { self, email } = await owner();
  const { next, recovery } = await turnedOn(self);
  const from = await knownTo(email, { code: await next() });
  const answer = await signIn(from, email);
  expect([code(answer), answer.body['must_enter_code']]).toEqual(['200', true]);
  expect(code(await from.call('GET', '/me'))).toBe('403 session_incomplete');
  expect(await stepUp(from, { password: PASSWORD })).toBe('401 invalid_credentials');
  expect(code(await from.call('GET', '/me'))).toBe('403 session_incomplete');
  expect(await stepUp(from, { code: recovery[0] })).toBe('200');
  expect(code(await from.call('GET', '/me'))).toBe('200');
  expect(code(await from.call('DELETE', '/me/totp'))).toBe('200');
  expect((await signIn(from, email)).body['must_enter_code']).toBe(false);
});

test('who has two factors steps up by the code alone', async () => {
  const { self } = await owner();
  const { next } = await turnedOn(self);
  const invite = async (): Promise<string> =>
    code(await self.call('POST', '/members', { body: { email: `new${Math.random()}@example.com`, role: 'viewer' } }));
  await edge.clock.advance(10 * 60_000);
  expect(await invite()).toBe('403 step_up_required');
  expect([await stepUp(self, { code: await next() }), await invite()]).toEqual(['200', '201']);
  await edge.clock.advance(10 * 60_000);
  expect([await stepUp(self, { password: PASSWORD }), await invite()]).toEqual(['401 invalid_credentials', '403 step_up_required']);
});

test('a link for a new password stands for no code', async () => {
  const { self } = await owner();
  const member = await invited(self, 'viewer');
  await turnedOn(member.self);
  const { body } = await self.call('POST', `/members/${member.id}/reset`);
  const from = browser();
  const answer = await from.call('POST', '/session', { body: { token: tokenOf(String(body['reset_url'])) } });
  expect([code(answer), answer.body['must_enter_code']]).toEqual(['200', true]);
  expect(code(await from.call('GET', '/v1/customers', { livemode: false }))).toBe('403 session_incomplete');
});
