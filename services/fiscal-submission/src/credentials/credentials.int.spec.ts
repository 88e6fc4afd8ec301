import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createIds, prefixed, systemClock, type Env, type Uid } from '@svc/kernel';
import { createApp, createLogger, fastifyOf, newKeyRing, parseKeyRing, register, type Identity } from '@svc/service';
import { createCertificateReader, type CertificateReader } from './certificate-reader.ts';
import { credentialsIndexes, deleteCredentials, type Credentials, type CredentialsContext, type Secret } from './credentials.ts';
import { CREDENTIALS, CredentialsController } from './http.ts';
import { measureCredentials } from './metrics.ts';
import type { CertificateFile } from './pkcs12.ts';
import { putCredentials } from './put.ts';
import { frozenFile, mostIterations, newFile } from './testing/files.ts';

/** Ciphertexts that are bound to no row are of any. */
const ROW = { collection: 'rows', id: '1' };

const ids = createIds(systemClock);
const folder = mkdtempSync(join(tmpdir(), 'fiscal-credentials-'));
const engine = Engine.open(folder, { durable: false });
const ring = parseKeyRing(newKeyRing());
const lines: string[] = [];
const logger = createLogger({ level: 'debug', service: 'fiscal-submission' }, { write: (line) => lines.push(line) });
const readers: CertificateReader[] = [];
/** What one replica has. */
function replica(): CredentialsContext {
  const certificates = createCertificateReader({ clock: systemClock, logger });
  readers.push(certificates);
  const documents = embeddedDocumentStore(engine, 'svc_fiscal_submission');
  return {
    credentials: documents.collection<Credentials>('fiscal_credentials', { indexes: credentialsIndexes }),
    ring,
    certificates,
    clock: systemClock,
  };
}
const [context, other] = [replica(), replica()];
const identityOf = (account: string, env: Env, commandId: Uid = ids.next()): Identity =>
  ({
    account,
    env,
    livemode: env === 'live',
    permissions: ['*'],
    actor: { type: 'api_key', id: 'key_1' },
    requestId: 'req_1',
    commandId,
  }) as unknown as Identity;

let app: NestFastifyApplication;
let account: string;
beforeAll(async () => {
  class Root {}
  Module({
    controllers: [CredentialsController],
    providers: [{ provide: CREDENTIALS, useValue: { context, issuerOf: undefined, installed: new Map() } }],
  })(Root);
  app = await createApp(Root, { logger });
  fastifyOf(app).addHook('onRequest', async (request) => {
    request.identity = identityOf(request.headers['x-as'] as string, request.headers['x-env'] as Env);
  });
  await app.init();
});
beforeEach(() => {
  account = prefixed('acct', ids.next());
});
afterAll(async () => {
  await app.close();
  await Promise.all(readers.map((reader) => reader.close()));
  engine.close();
  rmSync(folder, { recursive: true });
});

async function call(method: 'GET' | 'PUT' | 'DELETE', payload?: object, as = account, env: Env = 'test') {
  const headers = { 'x-as': as, 'x-env': env };
  const response = await fastifyOf(app).inject({ method, url: '/v1/fiscal-credentials', headers, ...(payload && { payload }) });
  return { status: response.statusCode, body: response.json() };
}
const stored = (env: Env = 'test') => context.credentials.get(`${env}.${account}`);
const legacy = {
  object: 'fiscal_credentials',
  livemode: false,
  subject: 'C=AL, O=Test only, CN=Agjencia Çelësi',
  serial: '5A47A3F6455221975E54B6BD54E5F7DE29FC1CC8',
  expires_at: '2100-10-27T19:14:22.000Z',
  fingerprint: 'e9a0fd331ff8b310696cf495d405175c5c9cf8c1b0cfd63e3dbcaa6840384a07',
  successor: null,
  created_at: expect.stringMatching(/Z$/),
  updated_at: expect.stringMatching(/Z$/),
  deleted_at: null,
};

test('a certificate is set, read, replaced, deleted and set again', async () => {
  expect((await call('GET')).body.error.code).toBe('not_found');
  expect((await call('DELETE')).body.error.code).toBe('not_found');
  const first = await call('PUT', frozenFile('legacy'));
  expect(first).toEqual({ status: 200, body: legacy });
  expect(await call('GET')).toEqual(first);

  const replaced = await call('PUT', frozenFile('ec'));
  expect(replaced.body).toMatchObject({ subject: 'C=ME, CN=Test only', created_at: first.body.created_at });
  expect(replaced.body.updated_at > first.body.updated_at).toBe(true);

  const deleted = await call('DELETE');
  expect(deleted).toEqual({
    status: 200,
    body: { ...replaced.body, updated_at: deleted.body.deleted_at, deleted_at: expect.stringMatching(/Z$/) },
  });
  expect(await stored()).not.toHaveProperty('secret');
  expect([(await call('GET')).status, (await call('DELETE')).status]).toEqual([404, 404]);

  const again = await call('PUT', frozenFile('modern'));
  expect(again.body).toEqual({ ...legacy, created_at: again.body.updated_at });
  expect((await call('GET')).status).toBe(200);
});

test('accounts and environments are apart', async () => {
  const foreign = prefixed('acct', ids.next());
  await call('PUT', frozenFile('legacy'));
  for (const [as, env] of [
    [foreign, 'test'],
    [account, 'live'],
  ] as const)
    for (const method of ['GET', 'DELETE'] as const) expect((await call(method, undefined, as, env)).status).toBe(404);
  expect((await call('PUT', frozenFile('ec'), account, 'live')).body).toMatchObject({ livemode: true, subject: 'C=ME, CN=Test only' });
  await call('DELETE', undefined, account, 'live');
  expect((await call('GET')).body).toEqual(legacy);
});

test.each<[string, object, string]>([
  ['a wrong passphrase', { ...frozenFile('legacy'), passphrase: 'other' }, 'passphrase'],
  ['no passphrase', { certificate: frozenFile('legacy').certificate }, 'passphrase'],
  ['an expired certificate', newFile({ notAfter: new Date('2024-01-01') }), 'certificate'],
  ['a file without a key', newFile({ has: 'certificate' }), 'certificate'],
  ['no base64', { certificate: '#', passphrase: 'x' }, 'certificate'],
  ['a large file', { certificate: Buffer.alloc(65_539).toString('base64'), passphrase: 'x' }, 'certificate'],
])('%s is 422 and names the field; what is stored stays', async (_what, file, field) => {
  await call('PUT', frozenFile('ec'));
  const { status, body } = await call('PUT', file);
  expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([422, 'validation_error', [field]]);
  expect((await call('GET')).body.subject).toBe('C=ME, CN=Test only');
});

test('a file that takes longer than two seconds is 422, and other requests are answered meanwhile', async () => {
  let answered = 0;
  const put = call('PUT', newFile({ change: mostIterations }));
  const reading = setInterval(() => void call('GET').then(() => (answered += 1)), 20);
  const { status, body } = await put;
  clearInterval(reading);
  expect([status, Object.keys(body.error.details)]).toEqual([422, ['certificate']]);
  expect(answered).toBeGreaterThan(20);
});

test('while a certificate of the account is read, another is 503 with Retry-After, and what is none 422', async () => {
  const none = { certificate: 'null', passphrase: 'x' };
  const [first, second, third] = await Promise.all([call('PUT', frozenFile('ec')), call('PUT', frozenFile('legacy')), call('PUT', none)]);
  expect([first.status, second.status, second.body.error.code]).toEqual([200, 503, 'service_unavailable']);
  expect([third.status, Object.keys(third.body.error.details)]).toEqual([422, ['certificate']]);
});

test('nothing of the file or its passphrase is stored or logged in clear, not even in a copy of the database', async () => {
  const file = newFile({ passphrase: 'a-passphrase-to-look-for' });
  await call('PUT', file);
  await call('PUT', { ...file, passphrase: 'another-to-look-for' });
  const { secret } = (await stored()) as Credentials;
  const { opened, ...kept } = JSON.parse(ring.decrypt(secret as string, ROW).toString()) as Secret;
  expect(kept).toEqual(file);

  await engine.copyTo(join(folder, 'backup.sqlite'));
  const bytes = Buffer.from(file.certificate, 'base64');
  const clear = ['to-look-for', file.certificate.slice(100, 160), bytes.subarray(100, 140), opened?.key.slice(100, 160) ?? 'none'];
  const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name)) }));
  expect(files.some(({ name, text }) => name === 'backup.sqlite' && text.includes(account))).toBe(true);
  for (const { name, text } of [...files, { name: 'log', text: Buffer.from(lines.join()) }])
    expect([name, clear.filter((part) => text.includes(part))]).toEqual([name, []]);
});

describe('two replicas', () => {
  test('a certificate that both set is one of the two, whole', async () => {
    const files: CertificateFile[] = [frozenFile('ec'), frozenFile('legacy')];
    const made = await Promise.all(
      [context, other].map((one, n) => putCredentials(one, identityOf(account, 'test'), files[n] as CertificateFile)),
    );
    const { secret, fingerprint, version } = (await stored()) as Credentials;
    const winner = made.findIndex((one) => one.fingerprint === fingerprint);
    expect(JSON.parse(ring.decrypt(secret as string, ROW).toString())).toMatchObject(files[winner] as CertificateFile);
    expect(version).toBe(2);
  });

  test('delete once; the same command repeated gets the same answer', async () => {
    await call('PUT', frozenFile('ec'));
    const commands = [ids.next(), ids.next()];
    const results = await Promise.allSettled(
      [context, other].map((one, n) => deleteCredentials(one, identityOf(account, 'test', commands[n]))),
    );
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    expect(results[1 - winner]).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
    const first = await stored();
    expect(await deleteCredentials(other, identityOf(account, 'test', commands[winner]))).toEqual(first);
  });
});

test('metrics count what is left of the certificates', async () => {
  measureCredentials({ ...context, installed: new Map() });
  const count = async (state: string): Promise<number> => {
    const text = await register.getSingleMetricAsString('svc_fiscal_credentials');
    return Number(new RegExp(`{env="live",state="${state}"} (\\d+)`).exec(text)?.[1]);
  };
  const before = await Promise.all(['valid', 'expiring', 'expired'].map(count));
  const inDays = (days: number): Date => new Date(systemClock.now() + days * 86_400_000);
  await call('PUT', newFile({ notAfter: inDays(40) }), account, 'live');
  expect(await Promise.all(['valid', 'expiring', 'expired'].map(count))).toEqual([(before[0] ?? 0) + 1, before[1], before[2]]);
  await call('PUT', newFile({ notAfter: inDays(20) }), account, 'live');
  expect(await Promise.all(['valid', 'expiring', 'expired'].map(count))).toEqual([before[0], (before[1] ?? 0) + 1, before[2]]);
  measureCredentials({ ...context, installed: new Map(), clock: { now: () => systemClock.now() + 21 * 86_400_000 } });
  expect(await count('expired')).toBe((before[2] ?? 0) + 1);
  await call('DELETE', undefined, account, 'live');
  expect(await count('expired')).toBe(before[2]);
});

test('a metric has when the certificate of the installation expires', async () => {
  measureCredentials({ ...context, installed: new Map([['es-verifactu', { expires_at: '2027-03-01T00:00:00.000Z' }]]) });
  const text = await register.getSingleMetricAsString('svc_fiscal_installed_certificate_expiry_timestamp_seconds');
  expect(text).toContain(`{authority="es-verifactu"} ${Date.UTC(2027, 2, 1) / 1000}`);
});
