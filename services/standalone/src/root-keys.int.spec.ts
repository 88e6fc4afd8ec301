import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createLogger, Health, newKeyRing, onlyBearer, startOps, type Ops } from '@svc/service';
import { secretRoutes } from '@svc/service/reencryption/admin-routes';
import { encryptedIn } from './encrypted-in.ts';
import { openRootKeys, retiring, type RootKeys } from './root-keys.ts';
import { loadSecrets, type GivenSecrets } from './secrets.ts';

const TOKEN = 'admin-token-of-thirty-two-characters';
const logger = createLogger({ level: 'silent', service: 'test' });
let folder: string;
let engine: Engine;
let keys: RootKeys;
let isCopying = false;
let ops: Ops;

async function start(given: GivenSecrets = {}): Promise<void> {
  keys = openRootKeys(folder, given, loadSecrets(folder, given).keys);
  engine = Engine.open(folder, { durable: false });
  const encrypted = encryptedIn((database) => embeddedDocumentStore(engine, database), keys.ringOf);
  const routes = secretRoutes({ encrypted, keys: retiring(keys, () => isCopying), onRequest: onlyBearer('ADMIN_TOKEN', TOKEN), logger });
  ops = await startOps({ host: '127.0.0.1', port: 0, health: new Health(), logger, admin: routes });
}
async function stop(): Promise<void> {
  await ops.close();
  engine.close();
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-root-keys-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

type Answer = {
  older: number;
  newest: number;
  unreadable: number;
  running: boolean;
  newest_key?: string;
  error?: { code: string };
} & Record<string, unknown>;
async function ask(method: string, path = ''): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${ops.port}/admin/secrets${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return (await answer.json()) as Answer;
}
async function reencrypted(): Promise<void> {
  await ask('POST', '/reencrypt');
  while ((await ask('GET', '/reencrypt')).running);
}

const documents = (database: string) => embeddedDocumentStore(engine, database);
const ROW = { collection: 'subject_keys', id: 'cust_0' };

/** One ciphertext of each kind, and as many keys of customers. */
async function fill(customers: number): Promise<void> {
  const [gateway, webhooks] = [keys.ringOf('gateway'), keys.ringOf('webhooks-dispatcher')];
  await documents('svc_gateway')
    .collection('peppers')
    .insert({ _id: '1', version: 1, sealed: gateway.encrypt('pepper') } as never);
  const compressed = { status: 201, headers: {}, sealed: true };
  const rows = documents('svc_gateway').collection('idempotency_keys');
  await rows.insert({ _id: 'a', version: 1, answer: { ...compressed, body: gateway.encrypt('answer') } } as never);
  await rows.insert({ _id: 'b', version: 1, answer: null, compressed, answer_text: gateway.encrypt('large') } as never);
  await rows.insert({
    _id: 'c',
    version: 1,
    answer: { ...compressed, sealed: false, body: 'v1.looks_like_a_ciphertext_and_is_none_of_them' },
  } as never);
  const users = documents('svc_gateway').collection('users');
  await users.insert({
    _id: 'usr_1',
    version: 1,
    totp: { secret: gateway.encrypt('totp'), confirmed: true, step: 0, recovery: [] },
  } as never);
  const endpoint = {
    secret: webhooks.encrypt('whsec'),
    old_secrets: [{ secret: webhooks.encrypt('old'), until: '' }],
    headers: [{ name: 'X', value: webhooks.encrypt('value') }],
  };
  await documents('svc_webhooks')
    .collection('webhook_endpoints', { mostlyRead: true })
    .insert({ _id: 'we_1', version: 1, ...endpoint } as never);
  const subjects = documents('svc_invoicing').collection('subject_keys');
  for (let n = 0; n < customers; n += 1)
    await subjects.insert({ _id: `cust_${n}`, version: 1, sealed: n === 1 ? null : keys.ringOf('invoicing').encrypt(`key ${n}`) } as never);
}

test('a key is rotated, what it has encrypted is encrypted anew, and it goes; restarts in between change nothing', async () => {
  await fill(300);
  const rootKey = (): string => (JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { rootKey: string }).rootKey;
  const old = rootKey();
  expect(await ask('GET')).toMatchObject({ newest: 306, older: 0, unreadable: 0 });
  expect(await ask('POST', '/rotate')).toEqual({ newest: 'v2' });
  expect(await ask('GET')).toMatchObject({ newest: 0, older: 306 });
  expect(await ask('POST', '/retire')).toMatchObject({ error: { code: 'invalid_state' } });

  await ask('POST', '/reencrypt');
  engine.abandon(); // A crash in the middle: what is committed stays.
  await ops.close();
  await start();
  await reencrypted();
  expect(await ask('GET')).toMatchObject({ newest: 306, older: 0, unreadable: 0 });
  expect(await ask('POST', '/retire')).toEqual({ retired: ['v1'], remove_from_SECRETS_KEY: [] });
  expect(rootKey()).not.toContain(old.slice(3));
  await stop();
  await start();
  expect(await ask('GET')).toMatchObject({ newest: 306, older: 0, unreadable: 0 });
  const { sealed } = (await documents('svc_invoicing').collection('subject_keys').get('cust_0')) as unknown as { sealed: string };
  expect(keys.ringOf('invoicing').decrypt(sealed, ROW).toString()).toBe('key 0');
  const endpoint = (await documents('svc_webhooks').collection('webhook_endpoints', { mostlyRead: true }).get('we_1')) as unknown as {
    version: number;
    unseen: number;
  };
  expect(endpoint.version - endpoint.unseen).toBe(1);
});

test('a key of SECRETS_KEY takes the place of the stored one, which goes; rotate says how another is added', async () => {
  await fill(2);
  await stop();
  const given = { SECRETS_KEY: newKeyRing() };
  await start(given);
  expect(await ask('POST', '/rotate')).toMatchObject({ error: { message: expect.stringContaining('v2:$(openssl') } });
  await reencrypted();
  expect(await ask('POST', '/retire')).toEqual({ retired: ['v1'], remove_from_SECRETS_KEY: [] });
  expect(await ask('POST', '/retire')).toEqual({ retired: [], remove_from_SECRETS_KEY: [] });
  await stop();
  await start(given);
  expect(await ask('GET')).toMatchObject({ newest: 8, older: 0, unreadable: 0 });
});

test('what no key decrypts stays as it is, and keeps the older keys from going', async () => {
  await fill(2);
  const peppers = documents('svc_gateway').collection('peppers');
  await peppers.write([{ put: { _id: '1', version: 2, sealed: `v1.${'A'.repeat(60)}` } as never }]);
  await reencrypted();
  expect(await ask('GET')).toMatchObject({ unreadable: 1 });
  expect(await ask('POST', '/retire')).toMatchObject({ error: { code: 'invalid_state' } });
  expect(await peppers.get('1')).toMatchObject({ version: 2 });
});

test('while a backup is made no key is retired, which it may need', async () => {
  await ask('POST', '/rotate');
  isCopying = true;
  const before = readFileSync(join(folder, 'secrets.json'), 'utf8');
  expect((await ask('POST', '/retire')).error?.code).toBe('invalid_state');
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(before);
  isCopying = false;
  expect(await ask('POST', '/retire')).toMatchObject({ retired: ['v1'] });
});
