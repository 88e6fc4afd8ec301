import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { changeMember, type MemberOf, removeMember } from './change-member.ts';
import type { MembersContext } from './context.ts';
import { shownVersion } from './member.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner, invited } = consoleOf(() => edge);
const by = { actor: { type: 'system', id: 'test' }, role: 'owner', requestId: 'req_1' } as const;

test('who was invited and has lost the link gets another one as the refusal of a second invitation says', async () => {
  const { self } = await owner();
  const invite = () => self.call('POST', '/members', { body: { email: 'lost@example.com', role: 'viewer' } });
  const { id } = (await invite()).body;
  expect(JSON.stringify((await invite()).body)).toContain('remove that member and invite again');
  await self.call('DELETE', `/members/${String(id)}`);
  expect((await invite()).body['invitation_url']).toBeDefined();
});

test.each<[string, (context: MembersContext, of: MemberOf) => Promise<unknown>]>([
  ['removes', (context, of) => removeMember(context, of, by)],
  ['disables', (context, of) => changeMember(context, of, { disabled: true }, by)],
])('an owner counts as one still where another change is faster than what %s it', async (_, end) => {
  const { self, account } = await owner();
  const { id } = await invited(self, 'owner');
  const context = edge.gateway.accounts;
  const { accounts } = context.store;
  let isChanged = false;
  const claim: typeof accounts.claim = async (...change) => {
    if (!isChanged) {
      isChanged = true;
      await changeMember(context, { account, id }, { operator: '1' }, by);
    }
    return accounts.claim(...change);
  };
  const slower = { ...context, store: { ...context.store, accounts: Object.assign(Object.create(accounts), { claim }) } };
  const before = await context.people.members.get(id);
  const of = { account, id, ifMatch: [String(shownVersion(before ?? {}))] };
  await expect(end(slower, of)).rejects.toMatchObject({ code: 'version_conflict' });
  expect(isChanged).toBe(true);
  expect((await accounts.get(account))?.owners).toContain(id);
});
