import { consoleRouteNames, consoleRoutes, type ConsoleRouteName } from '@svc/contracts/console/routes';
import { type RouteName, routes } from '@svc/contracts/routes';
import { changeAccount } from '../accounts/change-account.ts';
import { ensureOwner } from '../members/first-owner.ts';
import { type Browser, code, tokenOf } from '../testing/browser.ts';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';

let edge: EdgeApp;
beforeAll(async () => void (edge = await EdgeApp.start()));
afterAll(() => edge.stop());
const { browser, owner, invited } = consoleOf(() => edge);

const operator = { type: 'system', id: 'operator' } as const;

/** Answers by route, of routes that none of the earlier ones ends the session for. */
async function answersTo(self: Browser): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const ask = async (name: string, path: string): Promise<void> => {
    const [method = ''] = name.split(' ');
    const query = path === '/counts' ? '?of=invoices&by=status' : path === '/search' ? '?q=x' : path.endsWith('/stats') ? '?hours=24' : '';
    const filled = path.replaceAll(/\{\w+\}/g, 'x');
    answers.set(name, code(await self.call(method, filled + query, { livemode: false, ...(method !== 'GET' && { body: {} }) })));
  };
  const last: readonly ConsoleRouteName[] = ['DELETE /console/session'];
  for (const name of [...consoleRouteNames.filter((one) => !last.includes(one)), ...last])
    if (name !== 'POST /console/session') await ask(name, consoleRoutes[name].path.replace('/console', ''));
  return answers;
}

const mirrorAnswers = async (self: Browser): Promise<string[]> => {
  const served: RouteName[] = ['GET /customers', 'POST /customers', 'GET /account', 'GET /api-keys'];
  const answers = [];
  for (const name of served) {
    const { method, path } = routes[name];
    answers.push(code(await self.call(method, `/v1${path}`, { livemode: false, ...(method !== 'GET' && { body: {} }) })));
  }
  return [...new Set(answers)];
};

const differing = (answers: Map<string, string>, refusal: string, isOpen: (name: ConsoleRouteName) => boolean): string[] =>
  [...answers].filter(([name, answer]) => (answer === refusal) === isOpen(name as ConsoleRouteName)).map((one) => one.join(': '));

const REFUSED = '403 session_incomplete';

test('a session without a password does nothing else', async () => {
  const email = 'first@example.com';
  const { id: account } = await edge.account({ email });
  const self = browser();
  const url = await ensureOwner(edge.gateway.accounts, { account, email }, operator);
  await self.call('POST', '/session', { body: { token: tokenOf(url ?? '') } });
  expect(await mirrorAnswers(self)).toEqual([REFUSED]);
  // An empty body sets no password.
  const isOpen = (name: ConsoleRouteName) => consoleRoutes[name].incomplete?.includes('password') === true && name !== 'PATCH /console/me';
  expect(differing(await answersTo(self), REFUSED, isOpen)).toEqual([]);
});

test('a session without the two factors that the account demands does nothing else', async () => {
  const { self } = await owner();
  const viewer = await invited(self, 'admin');
  expect(code(await self.call('PATCH', '/account', { body: { require_totp: true } }))).toBe('200');
  expect(await mirrorAnswers(viewer.self)).toEqual([REFUSED]);
  const isOpen = (name: ConsoleRouteName) => consoleRoutes[name].incomplete?.includes('totp') === true;
  expect(differing(await answersTo(viewer.self), REFUSED, isOpen)).toEqual([]);
});

test('members of a suspended account sign in and see why, and no more', async () => {
  const { self, account } = await owner();
  await changeAccount(edge.gateway.accounts, account, { suspended: true }, { actor: operator });
  expect(await mirrorAnswers(self)).toEqual(['403 account_suspended']);
  expect(differing(await answersTo(self), '403 account_suspended', (name) => consoleRoutes[name].suspended === true)).toEqual([]);
});
