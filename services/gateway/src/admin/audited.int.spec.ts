import { until } from '@svc/kernel/testing/until';
import { createLogger, Health, type Ops, startOps } from '@svc/service';
import { consoleOf } from '../testing/console-people.ts';
import { EdgeApp } from '../testing/edge-app.ts';
import { adminRoutes } from './admin-routes.ts';

const ANA = 'token-of-ana-of-more-than-32-characters';
let edge: EdgeApp;
let ops: Ops;
/** Those that change something. */
const routes: string[] = [];
beforeAll(async () => {
  edge = await EdgeApp.start();
  const add = adminRoutes(edge.gateway.accounts, { token: 'operators-token', named: [{ name: 'ana', token: ANA, until: undefined }] });
  ops = await startOps({
    ...{ host: '127.0.0.1', port: 0, health: new Health(), logger: createLogger({ level: 'silent', service: 'test' }) },
    async admin(fastify) {
      fastify.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) if (!['GET', 'HEAD'].includes(one)) routes.push(`${one} ${url}`);
      });
      await add(fastify);
    },
  });
});
afterAll(async () => {
  await ops.close();
  await edge.stop();
});
const { owner, invited } = consoleOf(() => edge);

async function send(route: string, id: string, body: object): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = route.replace(':id', id).split(' ');
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${ANA}` };
  const answer = await fetch(`http://127.0.0.1:${ops.port}${path}`, { method, headers, body: JSON.stringify(body) });
  expect([route, answer.ok]).toEqual([route, true]);
  return (await answer.json()) as Record<string, unknown>;
}

/** What the operator of the token has done, by the audit of an account. */
const byAna = async (account: string): Promise<string[]> =>
  (await Array.fromAsync(edge.gateway.audit.find({ account }))).flatMap(({ action, change }) =>
    change.actor.id === 'operator ana' ? [action] : [],
  );

test('each command of operators that changes something leaves an entry in the audit of the account', async () => {
  const { self, account, email } = await owner();
  const viewer = await invited(self, 'viewer');
  const commands: Record<string, { body: object; action: string }> = {
    'POST /admin/accounts': { body: { name: 'Ana', plan: 'free' }, action: 'account.created' },
    'PATCH /admin/accounts/:id': { body: { plan: 'starter' }, action: 'account.updated' },
    'POST /admin/accounts/:id/owners': { body: { email: 'new@example.com' }, action: 'member.created' },
    'POST /admin/accounts/:id/keys': { body: { name: 'till', livemode: false, permissions: ['reports:read'] }, action: 'api_key.created' },
    'POST /admin/users/reset': { body: { email }, action: 'member.reset' },
    'POST /admin/users/release': { body: { email: viewer.email }, action: 'member.deleted' },
  };
  expect(routes.sort()).toEqual(Object.keys(commands).sort());
  for (const [route, { body, action }] of Object.entries(commands)) {
    const answer = await send(route, account, body);
    const of = route === 'POST /admin/accounts' ? String(answer['id']) : account;
    await edge.clock.advance(1_000);
    await until(async () => (await byAna(of)).includes(action));
  }
});
