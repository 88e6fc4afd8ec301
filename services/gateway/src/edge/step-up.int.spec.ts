import { tokenHash } from '../members/tokens.ts';
import { code } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner } = consoleOf(() => edge);

test('where the database does not say whether a session has stepped up, the answer is 503, and with it again what it was', async () => {
  const { self } = await owner();
  await edge.clock.advance(10 * 60_000 + 1);
  const { sessions } = edge.gateway.accounts.people;
  const { get } = sessions;
  const remove = async () => {
    expect(code(await self.call('GET', '/me'))).toBe('200'); // its session is cached from now on
    sessions.get = fails ? () => Promise.reject(new Error('the database is away')) : get;
    return code(await self.call('DELETE', '/v1/api-keys/x', { livemode: true }));
  };
  let fails = true;
  expect(await remove()).toBe('503 service_unavailable');
  sessions.get = get;
  fails = false;
  expect(await remove()).toBe('403 step_up_required');
});

test('once the clock is set back nothing has stepped up, and no session has begun, by the time before', async () => {
  const { self } = await owner();
  const { sessions } = edge.gateway.accounts.people;
  const set = async (change: object): Promise<void> => {
    await sessions.claim({ _id: tokenHash(self.cookies.get('svc_session') ?? '') }, { set: change });
    await edge.clock.advance(6_000);
  };
  const ahead = edge.clock.now() + 20 * 24 * 3_600_000;
  await set({ stepped_at: ahead });
  expect(code(await self.call('DELETE', '/v1/api-keys/x', { livemode: true }))).toBe('403 step_up_required');
  await set({ created_at: ahead, last_used_at: ahead });
  expect(code(await self.call('GET', '/me'))).toBe('401 invalid_session');
});
