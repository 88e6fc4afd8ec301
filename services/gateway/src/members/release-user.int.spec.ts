import { until } from '@svc/kernel/testing/until';
import { code, type Page } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { ensureOwner } from './first-owner.ts';
import { releaseUser } from './release-user.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner, invited, joined } = consoleOf(() => edge);
const operator = { type: 'system', id: 'operator ana' } as const;
const release = (email: string) => releaseUser(edge.gateway.accounts, email, operator);

test('an e-mail that a stranger has taken is free: the sessions end, the person can be invited, and the audit names the operator', async () => {
  const { self } = await owner();
  const stranger = await invited(self, 'viewer');
  expect(await release(stranger.email.toUpperCase())).toEqual([stranger.id]);
  expect(code(await stranger.self.call('GET', '/me'))).toBe('401 invalid_session');
  const { body } = await self.call('POST', '/members', { body: { email: stranger.email, role: 'viewer' } });
  const person = await joined(String(body['invitation_url']));
  expect(code(await person.call('GET', '/me'))).toBe('200');
  const entries = async () => (await self.call('GET', `/audit?target=${stranger.id}&action=member.deleted`)).body['data'] as Page['body'][];
  await edge.clock.advance(1_000);
  await until(async () => (await entries()).length === 1);
  expect((await entries())[0]?.['actor']).toMatchObject({ type: 'operator', id: 'operator ana' });
  await expect(release('nobody@example.com')).rejects.toMatchObject({ code: 'not_found' });
});

test('the last owner of an account stays', async () => {
  const { self, email } = await owner();
  await expect(release(email)).rejects.toMatchObject({ code: 'invalid_state' });
  expect(code(await self.call('GET', '/me'))).toBe('200');
});

test('who is the last owner of one account stays an owner of the others too, and counts as such', async () => {
  const { self, email, account } = await owner();
  await invited(self, 'owner');
  const { id: other } = await edge.account();
  await ensureOwner(edge.gateway.accounts, { account: other, email }, operator);
  const owners = async () => (await edge.gateway.accounts.store.accounts.get(account))?.owners;
  const before = await owners();
  await expect(release(email)).rejects.toMatchObject({ code: 'invalid_state' });
  expect((await owners())?.toSorted()).toEqual(before?.toSorted());
});
