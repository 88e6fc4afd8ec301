import { fileURLToPath } from 'node:url';
import { CERTIFIED_HEADER, certifiedIn } from '@svc/contracts/credentials/certified-header';
import { type DomainError, millisOf } from '@svc/kernel';
import { CredentialsController } from '../credentials/http.ts';
import { collaboratorOf, installedBy } from './collaborator.ts';

const ES_VERIFACTU_PASSPHRASE = 'çelës 1';
const ES_VERIFACTU_CERTIFICATE = fileURLToPath(new URL('../../fixtures/test-only-modern.p12', import.meta.url));

test('a deployment’s certificate is read with its end; without one there is none', async () => {
  const key = await collaboratorOf({ ES_VERIFACTU_CERTIFICATE, ES_VERIFACTU_PASSPHRASE });
  expect(key).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), expires_at: expect.stringMatching(/^\d{4}-/) });
  expect(await collaboratorOf({})).toBeUndefined();
});

test('an issuer without a certificate reads that there is one of the installation, until it ends, and for live documents alone', async () => {
  const key = await collaboratorOf({ ES_VERIFACTU_CERTIFICATE, ES_VERIFACTU_PASSPHRASE });
  const installed = installedBy(key);
  const read = async (env: 'live' | 'test', now: number) => {
    const context = { credentials: { get: async () => undefined }, clock: { now: () => now } };
    const controller = new CredentialsController({ context, installed, issuerOf: undefined } as never);
    const identity = { account: 'acct_1', env, livemode: env === 'live' };
    const headers = new Map<string, string>();
    const reply = { header: (name: string, value: string) => headers.set(name, value) };
    const details = await controller.read({ identity } as never, reply as never).catch((error: unknown) => (error as DomainError).details);
    return [details, certifiedIn(headers.get(CERTIFIED_HEADER))];
  };
  const now = millisOf(key?.expires_at ?? '') - 1;
  const named = { 'es-verifactu': [expect.stringContaining('certificate of this installation')] };
  expect(await read('live', now)).toEqual([named, ['es-verifactu']]);
  // Documents that are submitted then wait for the next one.
  expect(await read('live', now + 1)).toEqual([undefined, ['es-verifactu']]);
  expect(await read('test', now)).toEqual([undefined, []]);
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
