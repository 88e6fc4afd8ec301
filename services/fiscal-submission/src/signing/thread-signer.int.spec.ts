import { generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { createLogger } from '@svc/service';
import type { IssuerKey } from './keys.ts';
import { NoKey, type Signer } from './signer.ts';
import { threadSigner } from './thread-signer.ts';
import { startSigningThread } from './worker-thread.ts';

const logged: { msg: string }[] = [];
const logger = createLogger({ level: 'info', service: 'test' }, { write: (line) => logged.push(JSON.parse(line) as { msg: string }) });

const exported = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const long = generateKeyPairSync('rsa', { modulusLength: 4_224 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keys: Record<string, IssuerKey> = {
  acct_a: { fingerprint: 'a', certificate: 'certificate of a', key: exported(rsa.privateKey) },
  acct_long: { fingerprint: 'long', certificate: 'certificate of long', key: exported(long.privateKey) },
  acct_b: { fingerprint: 'b', certificate: 'certificate of b', key: exported(other.privateKey) },
  acct_ec: { fingerprint: 'ec', certificate: 'certificate of ec', key: exported(ec.privateKey) },
};
const stored = {
  of: async ({ account }: { account: string }) => {
    const key = keys[account];
    if (!key) throw new NoKey('credentials_missing', 'none');
    return key;
  },
};
const owner = (account: string) => ({ env: 'test' as const, account, authority: 'al-cis' });

let signer: Signer;
afterEach(() => signer.close());

test('signs with each issuer’s own key, and names its certificate', async () => {
  signer = threadSigner(stored, logger);
  const [a, b, again] = await Promise.all(['acct_a', 'acct_b', 'acct_a'].map((account) => signer.sign(owner(account), 'ë|1')));
  expect(verify('sha256', Buffer.from('ë|1'), rsa.publicKey, a!.signature)).toBe(true);
  expect(verify('sha256', Buffer.from('ë|1'), other.publicKey, b!.signature)).toBe(true);
  expect(again).toEqual(a);
  expect(a?.certificate).toBe('certificate of a');
});

test('says what an issuer lacks', async () => {
  signer = threadSigner(stored, logger);
  await expect(signer.sign(owner('acct_none'), 't')).rejects.toMatchObject({ code: 'credentials_missing' });
  await expect(signer.sign(owner('acct_ec'), 't')).rejects.toMatchObject({ code: 'credentials_unsuitable' });
  await expect(signer.sign(owner('acct_a'), 't')).resolves.toBeDefined();
});

test('an account that has too much waiting is refused, and no other', async () => {
  signer = threadSigner(stored, logger);
  const asked = Array.from({ length: 300 }, () =>
    signer.sign(owner('acct_a'), 't').then(
      () => 'signed',
      (error: { code: string }) => error.code,
    ),
  );
  const another = signer.sign(owner('acct_b'), 't');
  const outcomes = await Promise.all(asked);
  expect(outcomes.filter((outcome) => outcome === 'service_unavailable').length).toBeGreaterThan(50);
  await expect(another).resolves.toBeDefined();
});

test('a thread that ends fails what it had, and another signs the rest', async () => {
  const threads: ReturnType<typeof startSigningThread>[] = [];
  signer = threadSigner(stored, logger, () => {
    const one = startSigningThread();
    threads.push(one);
    return one;
  });
  const first = signer.sign(owner('acct_a'), 't').catch((error: { code: string }) => error.code);
  const second = signer.sign(owner('acct_b'), 't');
  await new Promise(setImmediate);
  await threads[0]?.terminate();
  expect(['service_unavailable', 'object']).toContain(typeof (await first) === 'string' ? await first : 'object');
  await expect(second).resolves.toBeDefined();
  await expect(signer.sign(owner('acct_a'), 't')).resolves.toBeDefined();
});

test('turns go by processor time: one signature of a long key is as much as several of an ordinary one', async () => {
  signer = threadSigner(stored, logger);
  await Promise.all(['acct_long', 'acct_a'].map((account) => signer.sign(owner(account), 't')));
  const order: string[] = [];
  const sign = (account: string) => signer.sign(owner(account), 't').then(() => order.push(account));
  await Promise.all([...Array.from({ length: 10 }, () => sign('acct_long')), ...Array.from({ length: 30 }, () => sign('acct_a'))]);
  expect(order.slice(0, 31).filter((account) => account === 'acct_long').length).toBeLessThanOrEqual(4);
});
