import { type Role, roles, roleTable } from '@svc/contracts/console/roles';
import { type RouteName, routes } from '@svc/contracts/routes';
import type { Browser } from '@svc/gateway/testing/browser';
import { permits } from '@svc/service';
import { ConsoleSystem } from './testing/console-system.ts';

let system: ConsoleSystem;
let owner: Browser;
const ids: Record<string, string> = {};
beforeAll(async () => {
  system = await ConsoleSystem.start();
  owner = await system.owner();
  const items = [{ description: 'Feed', unit_price: 10 }];
  const customer = await owner.call('POST', '/v1/customers', { livemode: false, body: { name: 'Heron' } });
  const invoice = await owner.call('POST', '/v1/invoices', { livemode: false, body: { customer_id: customer.body['id'], items } });
  await owner.call('POST', `/v1/invoices/${String(invoice.body['id'])}/submit`, { livemode: false });
  const receipt = await owner.call('POST', '/v1/receipts', { livemode: false, body: { items, payment_method: 'cash' } });
  Object.assign(ids, { invoices: invoice.body['id'], receipts: receipt.body['id'] });
});
afterAll(() => system.stop());

const ofAuthorities: RouteName[] = [
  'GET /invoices/{id}/evidence',
  'GET /receipts/{id}/evidence',
  'GET /fiscal-credentials',
  'PUT /fiscal-credentials',
  'POST /fiscal-credentials/check',
  'POST /fiscal-credentials/activate',
  'DELETE /fiscal-credentials',
  'POST /issuer/devices/{code}/register',
];
const isEvidence = (name: string): boolean => name.endsWith('/evidence');

/** The path with a document that there is in test, and a till that there is not. */
const filled = (name: RouteName): string =>
  routes[name].path.replace(/^\/(\w+)\/\{id\}/, (_, list: string) => `/${list}/${ids[list]}`).replace('{code}', 'NONE');

const mayIn = (role: Role, name: RouteName, livemode: boolean): boolean => {
  const { permission } = routes[name];
  const withheld = livemode && isEvidence(name) && !roleTable[role].livePersonalData;
  return !withheld && permission !== null && permits(roleTable[role][livemode ? 'live' : 'test'], permission);
};

test.each(roles)('%s: evidence, certificates and tills are open as the role says, in both environments', async (role) => {
  const member = role === 'owner' ? owner : await system.invited(owner, role);
  const differ: string[] = [];
  for (const livemode of [false, true])
    for (const name of ofAuthorities) {
      const { method } = routes[name];
      const answer = await member.call(method, `/v1${filled(name)}`, { livemode, ...(method !== 'GET' && { body: {} }) });
      const isOpen = answer.body.error?.code !== 'insufficient_permissions' && answer.status !== 401;
      if (isOpen !== mayIn(role, name, livemode)) differ.push(`${livemode ? 'live' : 'test'} ${name}: ${answer.status}`);
    }
  expect(differ).toEqual([]);
});

test('evidence is a link in its environment, and none in the other one', async () => {
  const { status, body } = await owner.call('GET', `/v1${filled('GET /receipts/{id}/evidence')}`, { livemode: false });
  expect([status, body['object'], body['url']]).toEqual([200, 'file', expect.stringContaining('/files/fiscal-submission.')]);
  const live = await owner.call('GET', `/v1${filled('GET /receipts/{id}/evidence')}`, { livemode: true });
  expect(live.body.error?.code).toBe('not_found');
});
