import type { CertificateReader } from '../credentials/certificate-reader.ts';
import { type IssuerKey, storedKeys } from './keys.ts';

const published: IssuerKey = { fingerprint: 'published', certificate: 'c', key: 'k' };
const none = {
  credentials: { get: async () => undefined },
  ring: { decrypt: () => Buffer.from('') },
  certificates: {} as CertificateReader,
  clock: { now: () => 0 },
};
const collaborator = { ...published, fingerprint: 'collaborator', expires_at: '1970-01-02T00:00:00.000Z' };
const commonKeys = { test: new Map([['al-cis', published]]), live: new Map([['es-verifactu', collaborator]]) };
const keys = storedKeys({ ...none, commonKeys });

test('a test issuer without a certificate signs with the published key of its authority; a live one never does', async () => {
  expect(await keys.of({ env: 'test', account: 'acct_1', authority: 'al-cis' })).toBe(published);
  const missing = { name: 'NoKey', code: 'credentials_missing' };
  await expect(keys.of({ env: 'live', account: 'acct_1', authority: 'al-cis' })).rejects.toMatchObject(missing);
  await expect(keys.of({ env: 'test', account: 'acct_1', authority: 'hu-nav' })).rejects.toMatchObject(missing);
});

test('a live issuer without a certificate has that of the deployment, until it ends', async () => {
  const owner = { env: 'live', account: 'acct_1', authority: 'es-verifactu' } as const;
  expect(await keys.of(owner)).toBe(collaborator);
  const later = storedKeys({ ...none, commonKeys, clock: { now: () => 86_400_000 } });
  await expect(later.of(owner)).rejects.toMatchObject({ code: 'credentials_expired', message: expect.stringContaining('the operator') });
});
