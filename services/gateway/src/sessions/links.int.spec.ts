import { until } from '@svc/kernel/testing/until';
import { ensureOwner } from '../members/first-owner.ts';
import { resetUser } from '../members/reset-user.ts';
import { tokenHash } from '../members/tokens.ts';
import { type Browser, code, type Page, tokenOf } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, owner, invited, signIn } = consoleOf(() => edge);
const operator = { type: 'system', id: 'operator' } as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NEW = 'Another-and-lantern-8';
const spend = (token: string, self = browser()): Promise<Page> => self.call('POST', '/session', { body: { token } });
const setPassword = (self: Browser, password = NEW) => self.call('PATCH', '/me', { body: { password: { new: password } } });
async function invitation(by: Browser, email: string): Promise<string> {
  return tokenOf(String((await by.call('POST', '/members', { body: { email, role: 'viewer' } })).body['invitation_url']));
}
const withPassword = (token: string, email: string, self = browser()): Promise<Page> =>
  self.call('POST', '/session', { body: { token, email, password: PASSWORD } });
const ownerLink = (account: string, email: string) => ensureOwner(edge.gateway.accounts, { account, email }, operator);
const roleOf = async (self: Browser) => ((await self.call('GET', '/me')).body['member'] as { role: string }).role;

describe('a person who has set no password yet', () => {
  test('is not taken over by the invitation of another account', async () => {
    const [first, second] = [await owner(), await owner()];
    expect(code(await spend(await invitation(first.self, 'tab.closed@example.com')))).toBe('200');
    const stranger = browser();
    expect(code(await spend(await invitation(second.self, 'tab.closed@example.com'), stranger))).toBe('401 invalid_credentials');
    expect(code(await setPassword(stranger))).toBe('401 invalid_session');
  });

  test('joins no account of another, whose administrator has spent a link before and waits with the password', async () => {
    const [first, second] = [await owner(), await owner()];
    const waiting = browser();
    expect(code(await spend(await invitation(second.self, 'waits@example.com'), waiting))).toBe('200');
    expect(code(await spend(await invitation(first.self, 'waits@example.com')))).toBe('401 invalid_credentials');
    const tries = await Promise.all([first, second].map(async ({ self }) => spend(await invitation(self, 'at.once@example.com'))));
    expect(tries.map(code).sort()).toEqual(['200', '401 invalid_credentials']);
  });

  test('takes another invitation of the same account, and of another one once the first has removed the member', async () => {
    const [first, second] = [await owner(), await owner()];
    expect(code(await spend(await invitation(first.self, 'again@example.com')))).toBe('200');
    const { data } = (await first.self.call('GET', '/members')).body as { data: { id: string; email: string }[] };
    const id = data.find(({ email }) => email === 'again@example.com')?.id ?? '';
    expect(code(await first.self.call('DELETE', `/members/${id}`))).toBe('200');
    expect(code(await spend(await invitation(second.self, 'again@example.com')))).toBe('200');
  });
});

describe('an administrator’s link for a new password', () => {
  test('sets none once the member has joined another account, though it was spent before', async () => {
    const [first, second] = [await owner(), await owner()];
    const member = await invited(first.self, 'viewer');
    const { body } = await first.self.call('POST', `/members/${member.id}/reset`);
    const kept = browser();
    expect(code(await spend(tokenOf(String(body['reset_url'])), kept))).toBe('200');
    expect(code(await withPassword(await invitation(second.self, member.email), member.email))).toBe('200');
    expect(code(await setPassword(kept))).toBe('422 invalid_state');
    expect(code(await signIn(member.email).answered)).toBe('200');
  });

  test('is not spent once the member has joined another account', async () => {
    const [first, second] = [await owner(), await owner()];
    const member = await invited(first.self, 'viewer');
    const { body } = await first.self.call('POST', `/members/${member.id}/reset`);
    expect(code(await withPassword(await invitation(second.self, member.email), member.email))).toBe('200');
    expect(code(await spend(tokenOf(String(body['reset_url']))))).toBe('401 invalid_credentials');
  });

  test('is not made for a member who is disabled in another account', async () => {
    const [first, second] = [await owner(), await owner()];
    const member = await invited(first.self, 'viewer');
    expect(code(await withPassword(await invitation(second.self, member.email), member.email))).toBe('200');
    const { data } = (await second.self.call('GET', '/members')).body as { data: { id: string; email: string }[] };
    const there = data.find(({ email }) => email === member.email)?.id ?? '';
    expect(code(await second.self.call('PATCH', `/members/${there}`, { body: { disabled: true } }))).toBe('200');
    expect(code(await first.self.call('POST', `/members/${member.id}/reset`))).toBe('422 invalid_state');
  });

  test('begins a session that changes no e-mail and has no step-up before the password is set', async () => {
    const { self } = await owner();
    const member = await invited(self, 'viewer');
    const { body } = await self.call('POST', `/members/${member.id}/reset`);
    const by = browser();
    await spend(tokenOf(String(body['reset_url'])), by);
    expect(code(await by.call('PATCH', '/me', { body: { email: 'moved@example.com' } }))).toBe('403 session_incomplete');
    const both = { email: 'moved@example.com', password: { new: NEW } };
    expect(code(await by.call('PATCH', '/me', { body: both }))).toBe('403 step_up_required');
    expect(code(await setPassword(by))).toBe('200');
    expect(code(await by.call('PATCH', '/me', { body: { email: 'moved@example.com' } }))).toBe('200');
  });
});

describe('an operator’s link', () => {
  test('makes an owner of who has a password when it is spent with it, not before', async () => {
    const [house, other] = [await owner(), await owner()];
    const person = await invited(other.self, 'viewer');
    const url = (await ownerLink(house.account, person.email)) ?? '';
    expect(code(await person.self.call('PUT', '/session/account', { body: { account: house.account } }))).toBe('422 validation_error');
    expect(code(await spend(tokenOf(url)))).toBe('401 invalid_credentials');
    const self = browser();
    expect(code(await withPassword(tokenOf(url), person.email, self))).toBe('200');
    expect([await roleOf(self), await ownerLink(house.account, person.email)]).toEqual(['owner', null]);
  });

  test('is not needed for a user whom an operator made an owner before, until the user names another e-mail', async () => {
    const [house, third, other] = [await owner(), await owner(), await owner()];
    expect([await ownerLink(house.account, other.email), await ownerLink(house.account, other.email)]).toEqual([null, null]);
    expect(code(await other.self.call('PUT', '/session/account', { body: { account: house.account } }))).toBe('200');
    expect(await roleOf(other.self)).toBe('owner');
    expect(code(await other.self.call('PATCH', '/me', { body: { email: 'cfo@victim.example' } }))).toBe('200');
    expect(await ownerLink(third.account, 'cfo@victim.example')).not.toBeNull();
    expect(code(await other.self.call('PUT', '/session/account', { body: { account: third.account } }))).toBe('422 validation_error');
  });

  test('makes a member of another role, or one who is disabled, the owner when it is spent, and is in the audit', async () => {
    const house = await owner();
    const member = await invited(house.self, 'admin');
    await house.self.call('PATCH', `/members/${member.id}`, { body: { disabled: true } });
    const url = (await ownerLink(house.account, member.email)) ?? '';
    const self = browser();
    expect(code(await withPassword(tokenOf(url), member.email, self))).toBe('200');
    expect(await roleOf(self)).toBe('owner');
    const own = ((await house.self.call('GET', '/me')).body['member'] as { id: string }).id;
    expect(code(await self.call('DELETE', `/members/${own}`))).toBe('200');
    await edge.clock.advance(2_000);
    const audit = async () => (await self.call('GET', `/audit?target=${member.id}`)).body['data'] as { action: string; changes: object }[];
    await until(async () => (await audit()).some(({ action }) => action === 'member.updated'));
    const data = await audit();
    expect(data.map(({ action, changes }) => [action, Object.keys(changes)]).slice(0, 2)).toEqual([
      ['member.updated', ['role', 'disabled']],
      ['member.reset', []],
    ]);
  });

  test('is one member, however many commands run at once', async () => {
    const { id: account } = await edge.account();
    const links = await Promise.all([0, 1, 2].map(() => ownerLink(account, 'thrice@example.com')));
    expect(links.every((link) => typeof link === 'string')).toBe(true);
    expect(await edge.gateway.accounts.people.members.count({ account, deleted_at: null })).toBe(1);
  });

  test('for a new password voids the one before at once', async () => {
    const { email } = await owner();
    const url = await resetUser(edge.gateway.accounts, { email, totp: false }, operator);
    expect(code(await signIn(email).answered)).toBe('401 invalid_credentials');
    const self = browser();
    expect([code(await spend(tokenOf(url), self)), code(await setPassword(self))]).toEqual(['200', '200']);
  });

  test('ends 15 minutes after it was made for a new password; an invitation is open by then', async () => {
    const { self } = await owner();
    const mate = await invited(self, 'viewer');
    const reset = async (): Promise<string> => {
      await self.call('POST', '/session/step-up', { body: { password: PASSWORD } });
      return tokenOf(String((await self.call('POST', `/members/${mate.id}/reset`)).body['reset_url']));
    };
    const waiting = await invitation(self, 'in.time@example.com');
    const ended = await reset();
    await edge.clock.advance(15 * MINUTE_MS);
    expect(code(await spend(ended))).toBe('401 invalid_credentials');
    const open = await reset();
    await edge.clock.advance(14 * MINUTE_MS);
    expect([code(await spend(open)), code(await spend(waiting))]).toEqual(['200', '200']);
  });
});

/** As if the link had been made so much earlier: no clock runs through a week of work in a test. Its change may be published meanwhile. */
async function aged(token: string, ms: number): Promise<string> {
  const { members } = edge.gateway.accounts.people;
  for (;;)
    for await (const { _id, version, link_until: until } of members.find({ link: tokenHash(token) }, { limit: 1 }))
      if ((await members.claim({ _id, version }, { set: { link_until: Number(until) - ms } })).length > 0) return token;
}

test('a link that was made by a clock that was ahead ends when the clock is set back', async () => {
  const { self } = await owner();
  expect(code(await spend(await aged(await invitation(self, 'by.an.hour@example.com'), -60 * MINUTE_MS)))).toBe('401 invalid_credentials');
  const member = await invited(self, 'viewer');
  const reset = tokenOf(String((await self.call('POST', `/members/${member.id}/reset`)).body['reset_url']));
  expect(code(await spend(await aged(reset, -2 * MINUTE_MS)))).toBe('401 invalid_credentials');
  expect(code(await spend(await aged(await invitation(self, 'by.seconds@example.com'), -MINUTE_MS / 2)))).toBe('200');
});

test('an invitation ends 7 days after it was made, for who has a password too; the last minute counts', async () => {
  const { self } = await owner();
  const person = await invited((await owner()).self, 'viewer');
  const open = await aged(await invitation(self, 'last.minute@example.com'), 7 * DAY_MS - MINUTE_MS);
  const ended = await aged(await invitation(self, 'too.late@example.com'), 7 * DAY_MS);
  const ofPerson = await aged(await invitation(self, person.email), 7 * DAY_MS);
  expect(code(await spend(open))).toBe('200');
  expect(code(await spend(ended))).toBe('401 invalid_credentials');
  expect(code(await withPassword(ofPerson, person.email))).toBe('401 invalid_credentials');
});
