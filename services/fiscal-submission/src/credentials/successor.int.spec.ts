import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { parseEvent } from '@svc/contracts/testing/parse';
import { embeddedDocumentStore } from '@svc/document-store';
import { Engine } from '@svc/embedded';
import { createIds, prefixed, systemClock, type Clock, type Uid } from '@svc/kernel';
import { createLogger, newKeyRing, parseKeyRing, type Identity } from '@svc/service';
import { storedKeys } from '../signing/keys.ts';
import { activateSuccessor } from './activate.ts';
import {
  credentialsId,
  credentialsIndexes,
  credentialsResource,
  deleteCredentials,
  findCredentials,
  type Credentials,
  type CredentialsContext,
} from './credentials.ts';
import { lookThrough } from './expiring.ts';
import { type CertificateFile, type ReadCertificate, readPkcs12 } from './pkcs12.ts';
import { putCredentials } from './put.ts';
import { newFile } from './testing/files.ts';

const DAY_MS = 86_400_000;
const ids = createIds(systemClock);
const folder = mkdtempSync(join(tmpdir(), 'fiscal-successor-'));
const engine = Engine.open(folder, { durable: false });
const ring = parseKeyRing(newKeyRing());
const logger = createLogger({ level: 'silent', service: 'test' });
/** Without the process of its own, which takes a second for each of many files. */
const certificates = { read: async (_account: string, file: CertificateFile) => readPkcs12(file) as ReadCertificate };
let passed = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + passed };
const context: CredentialsContext = {
  credentials: embeddedDocumentStore(engine, 'svc_fiscal_submission').collection<Credentials>('fiscal_credentials', {
    indexes: credentialsIndexes,
  }),
  ...{ ring, certificates, clock },
};
const keys = storedKeys({ ...context, ring, commonKeys: { live: new Map(), test: new Map() } });
let published: PublicEvent<{ days_left: number; fingerprint: string }>[] = [];
const look = (): Promise<boolean> =>
  lookThrough({
    ...context,
    ids,
    logger,
    bus: { publish: async (_topic, events) => void published.push(...(events as typeof published)) },
  });

let identity: Identity;
const as = (commandId: Uid = ids.next()): Identity => ({ ...identity, commandId });
beforeEach(async () => {
  identity = { account: prefixed('acct', ids.next()), env: 'live', requestId: 'req_1', actor: { type: 'api_key', id: 'key_1' } } as never;
  [passed, published] = [0, []];
});
afterEach(() => deleteCredentials(context, as()).catch(() => undefined));
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

const dayFrom = (days: number) => new Date(Math.ceil((systemClock.now() + days * DAY_MS) / 1_000) * 1_000);
const inDays = (days: number) => newFile({ notAfter: dayFrom(days) });
/** A file that is valid from then to then, in days. */
const putValid = (from: number, to: number, successor = false) =>
  putCredentials(context, as(), { ...newFile({ notBefore: dayFrom(from), notAfter: dayFrom(to) }), successor });
const put = (days: number, successor = false) => putCredentials(context, as(), { ...inDays(days), successor });
const shown = async () => credentialsResource(await findCredentials(context, identity));
const owner = () => ({ ...identity, authority: 'al-cis' });
const signing = async (): Promise<string> => (await keys.of(owner())).fingerprint;
const refused = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    ({ code, details }: { code: string; details?: object }) => [code, ...Object.keys(details ?? {})],
  );

describe('a successor', () => {
  test('is staged, shown without its file, and signs nothing yet', async () => {
    const first = await put(40);
    const staged = await put(400, true);
    expect(await shown()).toMatchObject({
      fingerprint: first.fingerprint,
      successor: { fingerprint: staged.successor?.fingerprint, expires_at: staged.successor?.expires_at },
    });
    expect(JSON.stringify(await shown())).not.toContain('secret');
    expect(await signing()).toBe(first.fingerprint);
  });

  test('takes over when it is activated; the repeated command changes nothing', async () => {
    await put(40);
    const { successor } = await put(400, true);
    const command = ids.next();
    const activated = await activateSuccessor(context, as(command));
    expect(activated).toMatchObject({ fingerprint: successor?.fingerprint });
    expect(await activateSuccessor(context, as(command))).toEqual(activated);
    expect(await shown()).toMatchObject({ fingerprint: successor?.fingerprint, successor: null });
    expect(await signing()).toBe(successor?.fingerprint);
  });

  test('signs from the end of the one before on, also before any process has stored that', async () => {
    const first = await put(40);
    const { successor } = await put(400, true);
    passed = 39 * DAY_MS;
    expect(await signing()).toBe(first.fingerprint);
    passed = 41 * DAY_MS;
    expect(await signing()).toBe(successor?.fingerprint);
    expect((await context.credentials.get(credentialsId(identity)))?.fingerprint).toBe(first.fingerprint);
    await look();
    const stored = await context.credentials.get(credentialsId(identity));
    expect([stored?.fingerprint, stored?.successor]).toEqual([successor?.fingerprint, undefined]);
    expect(stored?.unpublished?.at(-1)).toMatchObject({
      action: 'fiscal_credentials.updated',
      actor: { type: 'system', id: 'fiscal-submission' },
      changes: { fingerprint: { from: first.fingerprint, to: successor?.fingerprint } },
    });
  });

  test('that was staged for one that has ended follows the one that signs', async () => {
    await put(40);
    const { successor } = await put(400, true);
    passed = 41 * DAY_MS;
    const { successor: next } = await put(800, true);
    expect(await shown()).toMatchObject({ fingerprint: successor?.fingerprint, successor: { fingerprint: next?.fingerprint } });
  });

  test('needs one before it, and a later end', async () => {
    expect(await refused(put(400, true))).toEqual(['validation_error', 'successor']);
    await put(40);
    expect(await refused(put(30, true))).toEqual(['validation_error', 'certificate']);
    expect((await shown()).successor).toBeNull();
  });

  test('stays where the present one is replaced, and is destroyed with it', async () => {
    await put(40);
    const { successor } = await put(400, true);
    await put(50);
    expect((await shown()).successor).toMatchObject({ fingerprint: successor?.fingerprint });
    await deleteCredentials(context, as());
    expect(JSON.stringify(await context.credentials.get(credentialsId(identity)))).not.toContain('"secret"');
    expect((await put(40)).successor).toBeUndefined();
  });

  test('is not there to be activated', async () => {
    expect(await refused(activateSuccessor(context, as()))).toEqual(['not_found']);
    await put(40);
    expect(await refused(activateSuccessor(context, as()))).toEqual(['invalid_state']);
  });
});

describe('a certificate that is not valid yet', () => {
  test('is not set', async () => {
    await expect(putValid(3, 400)).rejects.toMatchObject({
      code: 'validation_error',
      details: { certificate: [expect.stringContaining(dayFrom(3).toISOString().slice(0, 10))] },
    });
    await expect(shown()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is set, and activated, where its time is to come by less than clocks differ', async () => {
    const soon = () => newFile({ notBefore: new Date(systemClock.now() + 60_000), notAfter: dayFrom(400) });
    const set = await putCredentials(context, as(), { ...soon(), successor: false });
    expect(await signing()).toBe(set.fingerprint);
    const { successor } = await putCredentials(context, as(), { ...soon(), successor: true });
    expect(await activateSuccessor(context, as())).toMatchObject({ fingerprint: successor?.fingerprint });
  });

  test('is not activated before its day', async () => {
    const first = await put(40);
    const { successor } = await putValid(3, 400, true);
    await expect(activateSuccessor(context, as())).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(dayFrom(3).toISOString().slice(0, 10)),
    });
    expect(await signing()).toBe(first.fingerprint);
    passed = 4 * DAY_MS;
    expect(await activateSuccessor(context, as())).toMatchObject({ fingerprint: successor?.fingerprint });
    expect(await context.credentials.get(credentialsId(identity))).not.toHaveProperty('valid_from');
  });

  test('takes over on its day where the one before has ended earlier, of which its owner is notified', async () => {
    await put(5);
    const { successor } = await putValid(8, 400, true);
    expect((await shown()).successor).not.toHaveProperty('valid_from');
    await look();
    expect(published.map(({ data }) => data.days_left)).toEqual([7]);
    passed = 6 * DAY_MS;
    await look();
    await expect(signing()).rejects.toMatchObject({
      code: 'credentials_expired',
      message: expect.stringContaining(successor?.valid_from ?? ''),
    });
    passed = 9 * DAY_MS;
    expect(await signing()).toBe(successor?.fingerprint);
    await look();
    expect(await context.credentials.get(credentialsId(identity))).toMatchObject({ fingerprint: successor?.fingerprint });
  });
});

describe('a certificate that ends', () => {
  const days = (): number[] => published.map(({ data }) => data.days_left);

  test('is said to end 60, 30 and 7 days before, once each', async () => {
    const { fingerprint } = await put(70);
    for (const day of [0, 9, 11, 12, 39, 41, 50, 62, 63, 64, 69, 71]) {
      passed = day * DAY_MS;
      await look();
    }
    expect(days()).toEqual([60, 30, 7]);
    for (const event of published) expect(parseEvent(JSON.stringify(event))).toMatchObject({ subject: fingerprint, data: { fingerprint } });
  });

  test('late set is said to end by the nearest of these days alone', async () => {
    await put(5);
    await look();
    await look();
    expect(days()).toEqual([7]);
  });

  test('is said to end again where it was replaced by another one that ends too', async () => {
    await put(20);
    await look();
    await put(21);
    await look();
    expect(days()).toEqual([30, 30]);
  });

  test('needs nothing where its successor is staged', async () => {
    await put(20);
    await put(400, true);
    await look();
    expect(days()).toEqual([]);
  });

  test('is published again with the same id where the process ended before that was stored', async () => {
    await put(20);
    const failing = { ...context.credentials, get: () => Promise.reject(new Error('the process ends')) };
    const bus = { publish: async (_topic: string, events: unknown[]) => void published.push(...(events as typeof published)) };
    expect(await lookThrough({ ...context, credentials: failing, ids, logger, bus })).toBe(false);
    await look();
    expect(published.map(({ id }) => id)).toEqual([published[0]?.id, published[0]?.id]);
  });
});
