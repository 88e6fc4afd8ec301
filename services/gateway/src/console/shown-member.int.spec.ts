import { until } from '@svc/kernel/testing/until';
import { code } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { ensureOwner } from '../members/first-owner.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { owner } = consoleOf(() => edge);

const HOUR_MS = 3_600_000;

interface Group {
  code: string;
  route: string;
  field: string | null;
  count: number;
}

test('a page that shows another member than the session acts as by now does and reads nothing', async () => {
  const { self, email } = await owner();
  const { id: second } = await edge.account({ email });
  await ensureOwner(edge.gateway.accounts, { account: second, email }, { type: 'system', id: 'operator' });
  const { body } = await self.call('GET', '/me');
  const headers = { 'x-member': (body['member'] as { id: string }).id };
  expect(code(await self.call('GET', '/members', { headers }))).toBe('200');
  expect(code(await self.call('PUT', '/session/account', { body: { account: second }, headers }))).toBe('200');
  const answers = [
    await self.call('GET', '/members', { headers }),
    await self.call('POST', '/v1/customers', { livemode: false, body: { name: 'x' }, headers }),
  ];
  expect(answers.map(code)).toEqual(['409 session_changed', '409 session_changed']);
  expect((await self.call('GET', '/me')).body).toMatchObject({ session_id: body['session_id'], account: { id: second } });
});

test('the accounts of a session are read without a change of it', async () => {
  const { self, account } = await owner();
  const { body } = await self.call('GET', '/session');
  expect(body).toMatchObject({ object: 'session', accounts: [{ id: account, role: 'owner', current: true }] });
});

test('what a page reads by itself keeps no session open', async () => {
  const [used, unattended] = [await owner(), await owner()];
  const read = (self: typeof used.self, headers: Record<string, string>) => self.call('GET', '/me', { headers });
  for (let hour = 0; hour < 2; hour += 1) {
    await edge.clock.advance(1.1 * HOUR_MS);
    await read(used.self, {});
    await read(unattended.self, { 'x-unattended': 'true' });
  }
  expect([code(await read(used.self, {})), code(await read(unattended.self, {}))]).toEqual(['200', '401 invalid_session']);
});

test('a write is a use of the session, whatever it says of itself', async () => {
  const { self } = await owner();
  for (let hour = 0; hour < 2; hour += 1) {
    await edge.clock.advance(1.1 * HOUR_MS);
    await self.call('PATCH', '/me', { body: { name: `Ana ${hour}` }, headers: { 'x-unattended': 'true' } });
  }
  expect(code(await self.call('GET', '/me'))).toBe('200');
});

test('what was refused for want of the password is done under the same Idempotency-Key once it is given', async () => {
  const { self } = await owner();
  await edge.clock.advance(0.5 * HOUR_MS);
  const body = { name: 'Shop', livemode: true, permissions: ['invoices:read'] };
  const create = () => self.call('POST', '/api-keys', { body, headers: { 'idempotency-key': 'one-form' } });
  expect(code(await create())).toBe('403 step_up_required');
  expect(code(await self.call('POST', '/session/step-up', { body: { password: PASSWORD } }))).toBe('200');
  const [first, again] = [await create(), await create()];
  expect([code(first), again.body['id']]).toEqual(['201', first.body['id']]);
});

test('a group of refused requests leads to its own: of one route, with the field that was named', async () => {
  const { self } = await owner();
  const recording = edge.gateway.recorder.work.start();
  for (const body of [{ name: 7 }, { role: 'none' }, { name: 7, email: 7 }]) await self.call('POST', '/members', { body });
  await edge.clock.advance(1_000);
  let groups: Group[] = [];
  await until(async () => {
    const { body } = await self.call('GET', '/requests/groups', { livemode: true });
    groups = body['data'] as Group[];
    return groups.length > 2;
  });
  await recording.stop();
  for (const { code: failed, route, field, count } of groups) {
    const query = new URLSearchParams({ code: failed, route, field: field ?? 'none' });
    const { body } = await self.call('GET', `/requests?${query}`, { livemode: true });
    expect([field, (body['meta'] as { total: number }).total]).toEqual([field, count]);
  }
});

test('a refused request names the member or the key that asked, as it is called now', async () => {
  const { self, call } = await owner();
  const recording = edge.gateway.recorder.work.start();
  await self.call('POST', '/members', { body: { role: 'none' } });
  await call('GET', '/v1/invoices?page=0');
  await edge.clock.advance(1_000);
  const listed = async (livemode: boolean) =>
    (await self.call('GET', '/requests', { livemode })).body as { data: { id: string; member_id: string }[]; actors: object[] };
  await until(async () => (await listed(true)).data.length > 0 && (await listed(false)).data.length > 0);
  await recording.stop();
  const { data: byMembers, actors } = await listed(true);
  const [byKey] = (await listed(false)).data;
  expect(actors).toEqual([{ type: 'member', id: byMembers[0]?.member_id, name: 'Ana' }]);
  const { body } = await self.call('GET', `/requests/${String(byKey?.id)}`, { livemode: false });
  expect(body['actor']).toMatchObject({ type: 'api_key', name: expect.stringMatching(/./) });
});
