import { fileURLToPath } from 'node:url';
import { type DomainError, millisOf } from '@svc/kernel';
import { CredentialsController } from '../credentials/http.ts';
import { collaboratorOf } from './collaborator.ts';

const ES_VERIFACTU_PASSPHRASE = 'çelës 1';
const ES_VERIFACTU_CERTIFICATE = fileURLToPath(new URL('../../fixtures/test-only-modern.p12', import.meta.url));

test('a deployment’s certificate is read with its end; without one there is none', async () => {
  const key = await collaboratorOf({ ES_VERIFACTU_CERTIFICATE, ES_VERIFACTU_PASSPHRASE });
  expect(key).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), expires_at: expect.stringMatching(/^\d{4}-/) });
  expect(await collaboratorOf({})).toBeUndefined();
});

test('an issuer without a certificate reads that there is one of the installation, until it ends, and for live documents alone', async () => {
  const key = await collaboratorOf({ ES_VERIFACTU_CERTIFICATE, ES_VERIFACTU_PASSPHRASE });
  const installed = new Map(key ? [['es-verifactu', key]] : []);
  const read = (env: 'live' | 'test', now: number) => {
    const context = { credentials: { get: async () => undefined }, clock: { now: () => now } };
    const controller = new CredentialsController({ context, installed, issuerOf: undefined } as never);
    const identity = { account: 'acct_1', env, livemode: env === 'live' };
    return controller.read({ identity } as never).catch((error: unknown) => (error as DomainError).details);
  };
  const now = millisOf(key?.expires_at ?? '') - 1;
  expect(await read('live', now)).toEqual({ 'es-verifactu': [expect.stringContaining('certificate of this installation')] });
  expect(await read('live', now + 1)).toBeUndefined();
  expect(await read('test', now)).toBeUndefined();
});

test('a wrong passphrase, and a file that is none, stop the start with the name of the setting', async () => {
  await expect(collaboratorOf({ ES_VERIFACTU_CERTIFICATE, ES_VERIFACTU_PASSPHRASE: 'other' })).rejects.toThrow(
    /^ES_VERIFACTU_PASSPHRASE is not/,
  );
  await expect(collaboratorOf({ ES_VERIFACTU_CERTIFICATE: import.meta.filename })).rejects.toThrow(
    /^ES_VERIFACTU_CERTIFICATE is .*PKCS#12/,
  );
  await expect(collaboratorOf({ ES_VERIFACTU_CERTIFICATE: '/no/such.p12' })).rejects.toThrow(
    /^ES_VERIFACTU_CERTIFICATE is \/no\/such.p12.*ENOENT/,
  );
});
