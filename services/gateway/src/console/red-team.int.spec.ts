import { consoleRouteNames, consoleRoutes } from '@svc/contracts/console/routes';
import { stepUpRoutes } from '@svc/contracts/console/step-up';
import { type RouteName, routes } from '@svc/contracts/routes';
import { ensureOwner } from '../members/first-owner.ts';
import { type Browser, code, tokenOf } from '../testing/browser.ts';
import { consoleOf, PASSWORD } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, owner, invited, signIn } = consoleOf(() => edge);

const SESSION = 'svc_session';
const filled = (path: string): string => path.replace(/^\/console/, '').replaceAll(/\{\w+\}/g, 'x');
const operator = { type: 'system', id: 'operator' } as const;

describe('a cookie', () => {
  test('that was there before the sign-in is not that of the session, and what it named before is no session of the new member', async () => {
    const [attacker, victim] = [await owner(), await owner()];
    const from = browser();
    const planted = attacker.self.cookies.get(SESSION) ?? '';
    from.cookies.set(SESSION, planted);
    expect(code(await signIn(victim.email, PASSWORD, from).answered)).toBe('200');
    expect(from.cookies.get(SESSION)).not.toBe(planted);
    expect(((await attacker.self.call('GET', '/me')).body['user'] as { email: string }).email).toBe(attacker.email);
    expect(((await from.call('GET', '/me')).body['user'] as { email: string }).email).toBe(victim.email);
  });

  test('is good for nothing after its session was signed out, also beside a new one', async () => {
    const { self, email } = await owner();
    const kept = self.cookies.get(SESSION) ?? '';
    expect(code(await self.call('DELETE', '/session'))).toBe('200');
    const replay = browser();
    replay.cookies.set(SESSION, kept);
    expect(code(await replay.call('GET', '/me'))).toBe('401 invalid_session');
    await signIn(email, PASSWORD, self).answered;
    expect([code(await replay.call('GET', '/me')), code(await self.call('GET', '/me'))]).toEqual(['401 invalid_session', '200']);
  });
});

describe('a write from another page', () => {
  const origins = ['', 'null', 'http://test.evil.example', 'https://test', 'http://test:8080', 'http://TEST', 'http://evil.example'];

  test('is refused on every route, whatever its type of content', async () => {
    const { self } = await owner();
    const own = consoleRouteNames.filter((name) => consoleRoutes[name].method !== 'GET').map((name) => [name, consoleRoutes[name].path]);
    const mirrored = (Object.keys(routes) as RouteName[])
      .filter((name) => routes[name].method !== 'GET' && routes[name].served && name !== 'POST /api-keys/rotate')
      .map((name) => [name, `/console/v1${routes[name].path}`]);
    const passed: string[] = [];
    for (const [name = '', path = ''] of [...own, ...mirrored]) {
      const [method = ''] = name.split(' ');
      const headers = { origin: 'http://evil.example', 'content-type': 'text/plain' };
      const answer = await self.call(method, filled(path), { livemode: false, body: {}, headers });
      // Routes that the stub does not serve are unknown.
      if (!['403 origin_not_allowed', '404 not_found', '405 method_not_allowed'].includes(code(answer)))
        passed.push(`${name}: ${code(answer)}`);
    }
    expect(passed).toEqual([]);
    expect(code(await self.call('GET', '/me'))).toBe('200');
  });

  test.each(origins)('is refused from %p, also the sign-in', async (origin) => {
    const { self, email } = await owner();
    const headers = { origin };
    const name = (await self.call('GET', '/me')).text;
    const answers = [
      await self.call('PATCH', '/me', { body: { name: 'Evil' }, headers }),
      await browser().call('POST', '/session', { body: { email, password: PASSWORD }, headers }),
    ];
    expect(answers.map(code)).toEqual(['403 origin_not_allowed', '403 origin_not_allowed']);
    expect((await self.call('GET', '/me')).text).toBe(name);
  });
});

describe('step-up', () => {
  test('is asked for by every route that needs it, once it is too long ago', async () => {
    const { self } = await owner();
    await edge.clock.advance(10 * 60_000 + 1);
    const passed: string[] = [];
    const judge = async (name: string, method: string, path: string, body: object): Promise<void> => {
      const answer = await self.call(method, filled(path), { livemode: true, ...(method !== 'GET' && { body }) });
      const isUnknown = ['404 not_found', '405 method_not_allowed'].includes(code(answer)); // the stub does not serve it
      if (code(answer) !== '403 step_up_required' && !isUnknown) passed.push(`${name}: ${code(answer)}`);
    };
    for (const name of consoleRouteNames)
      if (consoleRoutes[name].stepUp) await judge(name, consoleRoutes[name].method, consoleRoutes[name].path, {});
    for (const name of Object.keys(stepUpRoutes) as RouteName[])
      await judge(name, routes[name].method, `/v1${routes[name].path}`, { url: 'https://a.example', authority: 'al-cis' });
    await judge('email', 'PATCH', '/me', { email: 'other@example.com' });
    await judge('require_totp', 'PATCH', '/account', { require_totp: true });
    await judge('live key', 'POST', '/api-keys', { name: 'k', livemode: true, permissions: ['*'] });
    expect(passed).toEqual([]);
  });

  test('of one session is none of another of the same member, and a wrong password gives none', async () => {
    const { self, email } = await owner();
    await edge.clock.advance(10 * 60_000 + 1);
    const { from, answered } = signIn(email);
    expect(code(await answered)).toBe('200');
    const invite = (by: Browser) => by.call('POST', '/members', { body: { email: `new${Math.random()}@example.com`, role: 'viewer' } });
    expect([code(await invite(from)), code(await invite(self))]).toEqual(['201', '403 step_up_required']);
    expect(code(await self.call('POST', '/session/step-up', { body: { password: 'wrong-password-1' } }))).toBe('401 invalid_credentials');
    expect(code(await invite(self))).toBe('403 step_up_required');
  });
});

describe('another account', () => {
  test('its members, keys and sessions are not found, and no session changes to it', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const mate = await invited(theirs.self, 'viewer');
    const key = await theirs.self.call('POST', '/api-keys', { body: { name: 'k', livemode: false, permissions: ['*'] } });
    const sessions = (await theirs.self.call('GET', '/sessions')).body['data'] as { id: string }[];
    const tried = [
      ['PATCH', `/members/${mate.id}`, { role: 'owner' }],
      ['DELETE', `/members/${mate.id}`],
      ['POST', `/members/${mate.id}/reset`],
      ['GET', `/api-keys/${String(key.body['id'])}`],
      ['PATCH', `/api-keys/${String(key.body['id'])}`, { name: 'mine' }],
      ['POST', `/api-keys/${String(key.body['id'])}/rotate`],
      ['DELETE', `/api-keys/${String(key.body['id'])}`],
      ['DELETE', `/sessions/${sessions[0]?.id ?? ''}`],
    ] as const;
    for (const [method, path, body] of tried)
      expect([path, code(await mine.self.call(method, path, body && { body }))]).toEqual([path, '404 not_found']);
    const moved = await mine.self.call('PUT', '/session/account', { body: { account: theirs.account } });
    expect(code(moved)).toBe('422 validation_error');
    expect(code(await mate.self.call('GET', '/me'))).toBe('200');
  });

  test('its link is none with the e-mail and password of a member of this one', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const { body } = await theirs.self.call('POST', '/members', { body: { email: 'third@example.com', role: 'admin' } });
    const token = tokenOf(String(body['invitation_url']));
    const answer = await browser().call('POST', '/session', { body: { token, email: mine.email, password: PASSWORD } });
    expect(code(answer)).toBe('401 invalid_credentials');
  });
});

describe('who is known here', () => {
  test('a password is hashed for unknown and known e-mails alike', async () => {
    const { self, email } = await owner();
    const disabled = await invited(self, 'viewer');
    await self.call('PATCH', `/members/${disabled.id}`, { body: { disabled: true } });
    const { hashing } = edge.gateway.accounts;
    const { run } = hashing;
    let count = 0;
    hashing.run = (who, work) => {
      count += 1;
      return run(who, work);
    };
    const hashed: number[] = [];
    for (const [of, password] of [
      ['nobody@example.com', 'wrong-password-1'],
      [email, 'wrong-password-1'],
      [disabled.email, PASSWORD],
    ] as const) {
      count = 0;
      expect(code(await signIn(of, password).answered)).toBe('401 invalid_credentials');
      hashed.push(count);
    }
    hashing.run = run;
    expect(hashed).toEqual([1, 1, 1]);
  });

  test('an invitation answers the same for both, and its link without the password is as one that is none', async () => {
    const [mine, known] = [await owner(), await owner()];
    const invite = (email: string) => mine.self.call('POST', '/members', { body: { email, role: 'viewer' } });
    const [unknown, taken] = [await invite('never.seen@example.com'), await invite(known.email)];
    const shape = ({ body }: typeof unknown) => Object.entries(body).map(([field, value]) => [field, value === null ? null : typeof value]);
    expect([code(taken), shape(taken)]).toEqual([code(unknown), shape(unknown)]);
    const spent = async (token: string) => {
      const { status, body } = await browser().call('POST', '/session', { body: { token } });
      return [status, body.error?.code, body.error?.message];
    };
    expect(await spent(tokenOf(String(taken.body['invitation_url'])))).toEqual(await spent('x'.repeat(43)));
  });

  test('a reset of one who has not joined is refused alike, known or not', async () => {
    const [mine, known] = [await owner(), await owner()];
    const reset = async (email: string) => {
      const { body } = await mine.self.call('POST', '/members', { body: { email, role: 'viewer' } });
      const answer = await mine.self.call('POST', `/members/${String(body['id'])}/reset`);
      return [code(answer), answer.body.error?.message];
    };
    expect(await reset(known.email)).toEqual(await reset('never.seen.either@example.com'));
  });

  test('a link is spent once, also by two at once', async () => {
    const email = 'twice@example.com';
    const { id: account } = await edge.account({ email });
    const url = (await ensureOwner(edge.gateway.accounts, { account, email }, operator)) ?? '';
    const spend = () => browser().call('POST', '/session', { body: { token: tokenOf(url) } });
    const answers = await Promise.all([spend(), spend(), spend()]);
    expect(answers.map(code).sort()).toEqual(['200', '401 invalid_credentials', '401 invalid_credentials']);
    expect(code(await spend())).toBe('401 invalid_credentials');
  });
});
