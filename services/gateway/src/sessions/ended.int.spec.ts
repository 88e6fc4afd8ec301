import { tokenHash } from '../members/tokens.ts';
import { type Browser, code, tokenOf } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, owner, invited, signIn } = consoleOf(() => edge);

const idOf = ({ cookies }: Browser): string => tokenHash(cookies.get('svc_session') ?? '');
/** Another replica ends the session, which this one has looked up a little before. */
async function endElsewhere(self: Browser): Promise<void> {
  expect(code(await self.call('GET', '/sessions'))).toMatch(/200|403/);
  const now = edge.clock.now();
  await edge.gateway.accounts.people.sessions.claim({ _id: idOf(self) }, { set: { ended_at: now } });
}

test('a session that was ended at another replica is renewed by no change of account', async () => {
  const [first, second] = [await owner(), await owner()];
  const member = await invited(first.self, 'viewer');
  const { body } = await second.self.call('POST', '/members', { body: { email: member.email, role: 'viewer' } });
  const token = tokenOf(String(body['invitation_url']));
  const self = browser();
  await self.call('POST', '/session', { body: { token, email: member.email, password: PASSWORD } });
  await endElsewhere(self);
  const kept = self.cookies.get('svc_session');
  expect(code(await self.call('PUT', '/session/account', { body: { account: first.account } }))).toBe('401 invalid_session');
  expect(self.cookies.get('svc_session')).toBe(kept);
});

test('a session of a link that was ended at another replica sets no password', async () => {
  const { self } = await owner();
  const { body } = await self.call('POST', '/members', { body: { email: 'ended@example.com', role: 'viewer' } });
  const by = browser();
  await by.call('POST', '/session', { body: { token: tokenOf(String(body['invitation_url'])) } });
  await endElsewhere(by);
  expect(code(await by.call('PATCH', '/me', { body: { password: { new: PASSWORD } } }))).toBe('401 invalid_session');
});

test('a use that a replica notes late leaves an ended session as it is, and two sign-outs are one entry', async () => {
  const { self, email } = await owner();
  const { from, answered } = signIn(email);
  await answered;
  await edge.clock.advance(70_000);
  await endElsewhere(from);
  const { ended_at, due_at } = (await edge.gateway.accounts.people.sessions.get(idOf(from))) ?? {};
  await edge.clock.advance(1_000);
  await from.call('GET', '/me');
  const now = await edge.gateway.accounts.people.sessions.get(idOf(from));
  expect([now?.ended_at ?? ended_at, now?.due_at ?? due_at]).toEqual([ended_at, due_at]);
  const { data } = (await self.call('GET', '/sessions')).body as { data: { id: string; current: boolean }[] };
  const id = data.find(({ current }) => current)?.id ?? '';
  await Promise.all([self.call('DELETE', '/session'), self.call('DELETE', `/sessions/${id}`)]);
  const other = signIn(email);
  await other.answered;
  await edge.clock.advance(2_000);
  const entries = (await other.from.call('GET', `/audit?target=${id}&action=session.deleted`)).body['data'] as object[];
  expect(entries).toHaveLength(1);
});

test('sessions that lack the code end none that are complete, however many there are', async () => {
  const { self, email } = await owner();
  const { people } = edge.gateway.accounts;
  const session = await people.sessions.get(idOf(self));
  if (!session) throw new Error('there is none');
  const { unpublished: _, ...rest } = session;
  for (let n = 0; n < 60; n += 1)
    await people.sessions.insert({ ...rest, _id: `x${n}`, session: `ses_${n}`, must_enter_code: true, created_at: session.created_at + n });
  expect(code(await signIn(email).answered)).toBe('200');
  expect(code(await self.call('GET', '/me'))).toBe('200');
});
