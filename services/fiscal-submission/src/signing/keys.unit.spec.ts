import type { CertificateReader } from '../credentials/certificate-reader.ts';
import { type IssuerKey, storedKeys } from './keys.ts';

const published: IssuerKey = { fingerprint: 'published', certificate: 'c', key: 'k' };
const none = {
  credentials: { get: async () => undefined },
  ring: { decrypt: () => Buffer.from('') },
  certificates: {} as CertificateReader,
  clock: { now: () => 0 },
};
const keys = storedKeys({ ...none, testKeys: new Map([['al-cis', published]]) });

test('a test issuer without a certificate signs with the published key of its authority; a live one never does', async () => {
  expect(await keys.of({ env: 'test', account: 'acct_1', authority: 'al-cis' })).toBe(published);
  const missing = { name: 'NoKey', code: 'credentials_missing' };
  await expect(keys.of({ env: 'live', account: 'acct_1', authority: 'al-cis' })).rejects.toMatchObject(missing);
  await expect(keys.of({ env: 'test', account: 'acct_1', authority: 'hu-nav' })).rejects.toMatchObject(missing);
});
