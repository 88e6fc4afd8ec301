import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { demoSignInUrl } from './demo-account.ts';
import { firstStart } from './first-start.ts';
import { consoleOf } from './testing/console-people.ts';
import { EdgeApp } from './testing/edge-app.ts';

let edge: EdgeApp;
let engine: Engine;
beforeAll(async () => {
  edge = await EdgeApp.start();
  engine = Engine.open(join(edge.folder, 'first'), { durable: false });
});
afterAll(async () => {
  engine.close();
  await edge.stop();
});

test('the first start writes the demo account’s keys to a file that only its owner can read; later ones write the link to sign in alone, until a password is set', async () => {
  const file = join(edge.folder, 'setup.json');
  writeFileSync(file, 'old', { mode: 0o644 });
  const documents = embeddedDocumentStore(engine, 'svc_gateway');
  const start = (): Promise<void> => firstStart({ documents, accounts: edge.gateway.accounts, file, plan: 'starter', adminToken: 'adm_1' });
  await start();
  const setup = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect(setup).toMatchObject({ admin_token: 'adm_1', email: 'demo@example.com', test_key: expect.stringMatching(/^svc_test_/) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await edge.caller(setup['live_key'])('GET', '/v1/account')).body).toMatchObject({ id: setup['account_id'], plan: 'starter' });
  await start();
  const again = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect(again).toEqual({ ...setup, sign_in_url: expect.stringContaining('#token=') });
  expect(again['sign_in_url']).not.toBe(setup['sign_in_url']);
  rmSync(file);
  await start();
  const later = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect(later).toEqual({ account_id: setup['account_id'], sign_in_url: expect.stringContaining('#token=') });
  await consoleOf(() => edge).joined(String(later['sign_in_url']));
  await start();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ sign_in_url: null });
  rmSync(file);
  await start();
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('leaves the temporary files of other replicas, and none of its own', async () => {
  const file = join(edge.folder, 'shared.json');
  const documents = embeddedDocumentStore(engine, 'svc_gateway_3');
  writeFileSync(`${file}.new`, 'half');
  writeFileSync(`${file}.other-1.new`, 'half');
  await firstStart({ documents, accounts: edge.gateway.accounts, file, plan: 'starter', adminToken: 'adm_1' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ admin_token: 'adm_1' });
  const beside = readdirSync(edge.folder).filter((name) => name.startsWith('shared.json.'));
  expect(beside.sort()).toEqual(['shared.json.new', 'shared.json.other-1.new']);
});

test('after a start that ended before the write, the next one writes new keys of the same account', async () => {
  const file = join(edge.folder, 'again.json');
  const documents = embeddedDocumentStore(engine, 'svc_gateway_2');
  await firstStart({ documents, accounts: edge.gateway.accounts, file, plan: 'starter', adminToken: 'adm_1' });
  const setup = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect((await edge.caller(setup['test_key'])('GET', '/v1/account')).body).toMatchObject({ id: setup['account_id'] });
});

test('a start makes no link once an owner has a password, also under another e-mail', async () => {
  const { self, account } = await consoleOf(() => edge).owner('first@example.com');
  const { status } = await self.call('PATCH', '/me', { body: { email: 'ana@example.com' } });
  expect([status, await demoSignInUrl(edge.gateway.accounts, account)]).toEqual([200, null]);
});
