import { roles, roleTable } from '@svc/contracts/console/roles';
import { consoleRouteNames, consoleRoutes } from '@svc/contracts/console/routes';
import { routes } from '@svc/contracts/routes';
import { settleTurns } from '@svc/kernel';
import { permits } from '@svc/service';
import { until } from '@svc/kernel/testing/until';
import { code, type Page } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());

const { browser, owner, invited, signIn } = consoleOf(() => edge);

describe('roles', () => {
  test.each(roles)('%s: each route of the dashboard and of the interface by its row, in both environments', async (role) => {
    const house = await owner();
    const { self } = role === 'owner' ? house : await invited(house.self, role);
    const differ: string[] = [];
    const judge = (name: string, may: boolean, answer: Page): void => {
      const isForbidden = answer.body.error?.code === 'insufficient_permissions';
      if (isForbidden === may) differ.push(`${name}: ${code(answer)}`);
    };
    for (const livemode of [false, true]) {
      const granted = roleTable[role][livemode ? 'live' : 'test'];
      for (const [name, { method, path, permission, served }] of Object.entries(routes)) {
        if (!served || name === 'POST /api-keys/rotate') continue;
        const answer = await self.call(method, `/v1${path.replaceAll(/\{\w+\}/g, 'x')}`, {
          livemode,
          ...(method === 'GET' ? {} : { body: {} }),
        });
        const paper = livemode && !roleTable[role].livePersonalData && /\/(?:pdf|ubl|evidence)$/.test(path);
        const isRefused = paper || (permission !== null && !permits(granted, permission));
        if ([404, 405].includes(answer.status) && isRefused) continue; // the stub does not serve it
        judge(`${name} ${livemode}`, !isRefused, answer);
      }
      await edge.clock.advance(61_000); // the limit of the member is for less than all of them
      for (const name of consoleRouteNames) {
        const { method, path, may, personal } = consoleRoutes[name];
        // Signing out is the last one.
        if (may === 'anyone' || name === 'DELETE /console/session') continue;
        const answer = await self.call(method, path.replace('/console', '').replaceAll(/\{\w+\}/g, 'x'), {
          livemode,
          ...(method === 'GET' ? {} : { body: {} }),
        });
        const { livePersonalData, administers } = roleTable[role];
        const opens = may === 'member' || (may === 'administrators' ? administers : permits(granted, may));
        const isWithheld = personal === true && livemode && !livePersonalData;
        judge(`${name} ${livemode}`, opens && !isWithheld, answer);
      }
    }
    judge('DELETE /console/session', true, await self.call('DELETE', '/session'));
    expect(differ).toEqual([]);
  });
});

describe('a session', () => {
  test('ends when the member is disabled, and its cookie is good for nothing', async () => {
    const { self } = await owner();
    const viewer = await invited(self, 'viewer');
    expect(code(await viewer.self.call('GET', '/me'))).toBe('200');
    expect(code(await self.call('PATCH', `/members/${viewer.id}`, { body: { disabled: true } }))).toBe('200');
    expect(code(await viewer.self.call('GET', '/me'))).toBe('401 invalid_session');
  });

  test('ends with a change of the password, but for the one that changes it, which gets another cookie', async () => {
    const { self, email } = await owner();
    const { from, answered } = signIn(email);
    expect(code(await answered)).toBe('200');
    const before = self.cookies.get('svc_session');
    const body = { password: { current: PASSWORD, new: 'Another-and-lantern-8' } };
    expect(code(await self.call('PATCH', '/me', { body }))).toBe('200');
    expect(self.cookies.get('svc_session')).not.toBe(before);
    expect([code(await self.call('GET', '/me')), code(await from.call('GET', '/me'))]).toEqual(['200', '401 invalid_session']);
  });

  test('outlives kill -9, and so does what ended it', async () => {
    const { self } = await owner();
    const viewer = await invited(self, 'viewer');
    await self.call('DELETE', `/members/${viewer.id}`);
    await edge.crash();
    expect([code(await self.call('GET', '/me')), code(await viewer.self.call('GET', '/me'))]).toEqual(['200', '401 invalid_session']);
  });

  test('neither its cookie nor a password nor a link is stored in clear', async () => {
    const { self, account } = await owner();
    await invited(self, 'viewer');
    const { people } = edge.gateway.accounts;
    const rows = JSON.stringify([
      await Array.fromAsync(people.sessions.find({})),
      await Array.fromAsync(people.users.find({})),
      await Array.fromAsync(people.members.find({ account })),
    ]);
    for (const secret of [self.cookies.get('svc_session') ?? 'none', PASSWORD, '#token=']) expect(rows).not.toContain(secret);
  });

  test('is refused from another origin, and without the environment that a route needs', async () => {
    const { self } = await owner();
    expect(code(await self.call('PATCH', '/me', { body: { name: 'x' }, headers: { origin: 'https://evil.example' } }))).toBe(
      '403 origin_not_allowed',
    );
    expect(code(await self.call('GET', '/v1/customers'))).toBe('400 invalid_request');
  });
});

describe('signing in', () => {
  test('unknown e-mail, wrong password and a disabled member have one answer', async () => {
    const { self, email } = await owner();
    const viewer = await invited(self, 'viewer');
    await self.call('PATCH', `/members/${viewer.id}`, { body: { disabled: true } });
    const answers = await Promise.all([
      signIn('nobody@example.com').answered,
      signIn(email, 'wrong-password-1').answered,
      signIn(viewer.email).answered,
    ]);
    const shown = answers.map(({ status, body }) => [status, body.error?.code, body.error?.message]);
    expect(new Set(shown.map(String)).size).toBe(1);
    expect(shown[0]?.slice(0, 2)).toEqual([401, 'invalid_credentials']);
  });

  test('a failure counts when it arrives: those that come at once wait 1 and 2 s beside each other', async () => {
    const { email } = await owner();
    const answered: number[] = [];
    const tries = [0, 1, 2].map((n) => signIn(email, 'wrong-password-1').answered.then(() => answered.push(n)));
    await until(() => answered.length === 1);
    await edge.clock.advance(1_100);
    await until(() => answered.length === 2);
    await edge.clock.advance(1_000);
    await Promise.all(tries);
    expect(answered).toHaveLength(3);
  });

  test('the 6th try of an e-mail and address in a minute is 429 before anything is hashed', async () => {
    const { email } = await owner();
    const from = browser();
    for (let n = 0; n < 5; n += 1) expect(code(await signIn(email, PASSWORD, from).answered)).toBe('200');
    expect(code(await signIn(email, PASSWORD, from).answered)).toBe('429 rate_limit_exceeded');
  });
});

describe('owners', () => {
  test('of two who remove each other at once one stays', async () => {
    const { self } = await owner();
    const other = await invited(self, 'owner');
    const { body } = await self.call('GET', '/me');
    const own = (body['member'] as { id: string }).id;
    const answers = await Promise.all([self.call('DELETE', `/members/${other.id}`), other.self.call('DELETE', `/members/${own}`)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

test('of two who change one member at once the second learns of it by If-Match', async () => {
  const { self } = await owner();
  const { id } = await invited(self, 'viewer');
  const members = (await self.call('GET', '/members')).body['data'] as { id: string; version: number }[];
  const headers = { 'if-match': `"${members.find((one) => one.id === id)?.version}"` };
  const [first, second] = [
    await self.call('PATCH', `/members/${id}`, { body: { role: 'accountant' }, headers }),
    await self.call('PATCH', `/members/${id}`, { body: { role: 'cashier' }, headers }),
  ];
  expect([first.body['role'], code(second)]).toEqual(['accountant', '412 version_conflict']);
  expect(code(await self.call('DELETE', `/members/${id}`, { headers }))).toBe('412 version_conflict');
  const now = { 'if-match': `"${String(first.body['version'])}"` };
  expect(code(await self.call('PATCH', `/members/${id}`, { body: { role: 'cashier' }, headers: now }))).toBe('200');
});

test('entries of members and accounts are in the audit at once, in the order of the changes', async () => {
  const { self } = await owner();
  const { id } = await invited(self, 'viewer');
  const done: string[] = [];
  for (const [path, body] of [
    [`/members/${id}`, { operator: '1' }],
    ['/account', { name: 'First' }],
    [`/members/${id}`, { operator: '2' }],
    ['/account', { name: 'Second' }],
  ] as const) {
    await self.call('PATCH', path, { body });
    done.unshift(path === '/account' ? 'account.updated' : 'member.updated');
  }
  for (let n = 0; n < 10; n += 1) await edge.clock.advance(10);
  await settleTurns();
  const entries = (await self.call('GET', '/audit')).body['data'] as { action: string }[];
  expect(entries.slice(0, done.length).map(({ action }) => action)).toEqual(done);
});

test('changes are in the audit once, with both values, also where the process is killed before they are published', async () => {
  const { self, account } = await owner();
  await self.call('PATCH', '/account', { body: { name: 'Before' } });
  await self.call('PATCH', '/account', { body: { name: 'After' } });
  await edge.crash();
  await edge.clock.advance(61_000);
  await settleTurns();
  const audit = async () => (await self.call('GET', '/audit?action=account.updated')).body['data'] as { target: object; changes: object }[];
  await until(async () => (await audit()).length === 2);
  const [newest] = await audit();
  expect(newest).toMatchObject({ target: { id: account }, changes: { name: { from: 'Before', to: 'After' } } });
});
