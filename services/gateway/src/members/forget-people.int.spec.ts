import { code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { forgetMembers, forgetUsers } from './forget-people.ts';
import { KEPT_MS } from './joining.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner, invited } = consoleOf(() => edge);

/** The jobs as they run so many milliseconds after now. */
async function runAfter(ms: number, member: string, user: string): Promise<void> {
  const { people, clock } = edge.gateway.accounts;
  const later = { people, clock: { ...clock, now: () => clock.now() + ms } as typeof clock };
  await forgetMembers(
    later,
    [await people.members.get(member)].flatMap((one) => one ?? []),
  );
  await forgetUsers(
    later,
    [await people.users.get(user)].flatMap((one) => one ?? []),
  );
}

test('30 days after a member is removed nothing says who it was, and the user who is in no other account is gone', async () => {
  const { self } = await owner();
  const { people } = edge.gateway.accounts;
  const member = await invited(self, 'viewer');
  const user = (await people.members.get(member.id))?.user ?? '';
  await runAfter(KEPT_MS + 1, member.id, user);
  expect(code(await member.self.call('GET', '/me'))).toBe('200');
  await self.call('DELETE', `/members/${member.id}`);
  await edge.clock.advance(1_000);
  expect((await people.members.get(member.id))?.due_at).toBeGreaterThan(edge.clock.now());
  await runAfter(KEPT_MS - 60_000, member.id, user);
  expect((await people.members.get(member.id))?.email).toBe(member.email);
  await runAfter(KEPT_MS + 60_000, member.id, user);
  expect(await people.members.get(member.id)).toMatchObject({ email: '', name: null, user: null, email_key: null });
  expect(await people.users.get(user)).toBeUndefined();
});

test('an e-mail that a user has given up, and a crash has left at the account, can be invited', async () => {
  const { self } = await owner();
  const member = await invited(self, 'viewer');
  const { people } = edge.gateway.accounts;
  const user = (await people.members.get(member.id))?.user ?? '';
  await people.users.claim({ _id: user }, { set: { email: 'moved.on@example.com', email_key: 'moved.on@example.com' } });
  const invite = (email: string) => self.call('POST', '/members', { body: { email, role: 'viewer' } });
  expect([code(await invite(member.email)), code(await invite('moved.on@example.com'))]).toEqual(['201', '422 validation_error']);
});
