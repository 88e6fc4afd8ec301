import { prefixed, systemClock, iso } from '@svc/kernel';
import type { Identity } from '@svc/service';
import forge from 'node-forge';
import { putCredentials } from '../../credentials/put.ts';
import type { CertificateFile } from '../../credentials/pkcs12.ts';
import { NoKey, type Signer } from '../../signing/signer.ts';
import { resolveSubmission } from '../../submission/resolve.ts';
import { FiscalSystem, ids, type SystemOptions } from '../../testing/system.ts';
import { certified, type Certified } from '../../xml/testing/certificates.ts';
import { alCis } from './al-cis.ts';
import { alInvoice, alReceipt } from './testing/documents.ts';
import { alService } from './testing/service.ts';

const nais = certified({ name: 'Test NAIS', isAuthority: true });
const signer = certified({ name: 'GDT eFiskalizimi' }, nais);
const taxpayer = certified({ name: 'Test taxpayer', serialNumber: 'L12345678A' }, nais);
const authority = alCis({
  origin: 'https://service.test',
  page: 'https://page.test/invoice-check',
  trust: { anchors: [nais.pem], signer: 'GDT eFiskalizimi' },
});

function open(over: Partial<SystemOptions> = {}) {
  const service = alService({ signer, taxpayers: { anchors: [nais.pem], signer: 'Test taxpayer' } });
  const options = { simulatorUrl: 'http://127.0.0.1:1', authorities: new Map([['al-cis', authority]]), http: service.http };
  return { service, system: new FiscalSystem({ ...options, ...over }) };
}

function fileOf({ key, pem }: Certified): CertificateFile {
  const privateKey = forge.pki.privateKeyFromPem(key.export({ type: 'pkcs8', format: 'pem' }).toString());
  const pfx = forge.pkcs12.toPkcs12Asn1(privateKey, [forge.pki.certificateFromPem(pem)], 'secret', { algorithm: 'aes256' });
  return { certificate: Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1').toString('base64'), passphrase: 'secret' };
}
const setCertificate = (system: FiscalSystem): Promise<unknown> =>
  putCredentials(
    system.fiscal.credentials,
    { account: system.account, env: 'test', actor: { type: 'api_key', id: 'key_1' }, commandId: ids.next() } as unknown as Identity,
    fileOf(taxpayer),
  );

const now = (): { issued_at: string; document_id: string } => ({
  issued_at: iso(systemClock.now()),
  document_id: prefixed('inv', ids.next()),
});

test('an invoice is signed by the certificate of its account, printed before it is sent, and registered', async () => {
  const { system, service } = open();
  await setCertificate(system);
  const { document_id } = await system.submit({ ...alInvoice(), ...now() });
  const { registration } = await system.until(document_id, 'registered');
  expect([...service.registered]).toEqual([[registration.issuer_code, registration.code]]);
  const prepared = await system.publishedEvent('fiscal.document-prepared.v1', document_id);
  expect(prepared.data).toMatchObject({ issuer_code: registration.issuer_code, verification_url: registration.verification_url });
  expect(registration).toMatchObject({ late: false });
  const [attempt] = await system.attempts(document_id);
  expect(attempt).toMatchObject({ kind: 'submit', outcome: 'registered', warnings: [{ code: 'transliterated' }] });
  await system.close();
});

test('without a certificate it waits and says so; with one it is sent, under the same number', async () => {
  let isSet = false;
  const signing: Signer = {
    async sign(_owner, text) {
      if (!isSet) throw new NoKey('credentials_missing', 'none');
      return taxpayer.sign(text);
    },
    close: async () => undefined,
  };
  const { system, service } = open({ signer: signing });
  const { document_id } = await system.submit({ ...alInvoice(), ...now() });
  const delayed = await system.publishedEvent('fiscal.document-delayed.v1', document_id);
  expect(delayed.data).toMatchObject({ status: 'pending', attempts: 0, error: { code: 'credentials_missing', fixable: 'credentials' } });
  isSet = true;
  await system.until(document_id, 'registered');
  expect(service.registered.size).toBe(1);
  await system.close();
});

test('where the answer is lost the same record is sent again, with the reason of a late one', async () => {
  const bodies: string[] = [];
  const { service, system } = open();
  const http: SystemOptions['http'] = async (request) => {
    bodies.push(request.body ?? '');
    const answered = await service.http(request);
    if (bodies.length === 1) throw new Error('the connection broke');
    return answered;
  };
  await system.close();
  const { system: lossy } = open({ http });
  await setCertificate(lossy);
  const { document_id } = await lossy.submit({ ...alInvoice(), ...now() });
  const { registration } = await lossy.until(document_id, 'registered');
  const invoiceIn = (body = ''): string => /<Invoice .*<\/Invoice>/.exec(body)?.[0] ?? '';
  expect(bodies).toHaveLength(2);
  expect(invoiceIn(bodies[1])).toBe(invoiceIn(bodies[0]));
  expect(bodies.map((body) => /SubseqDelivType="(\w+)"/.exec(body)?.[1])).toEqual([undefined, 'SERVICE']);
  expect(registration.late).toBe(true);
  expect(service.registered.size).toBe(1);
  await lossy.close();
});

test('a doubt is ended by hand with a code that is a UUID, as all of its authority are', async () => {
  const { system } = open({ http: async () => ({ status: 500, headers: {}, body: Buffer.from('') }) });
  await setCertificate(system);
  const { document_id: id } = await system.submit({ ...alInvoice(), ...now() });
  await system.until(id, 'unknown');
  const actor = { type: 'api_key', id: 'key_1' };
  const identity = { account: system.account, env: 'test', commandId: ids.next(), requestId: 'req_1', actor } as unknown as Identity;
  const resolve = (code: string) =>
    resolveSubmission(system.fiscal.context, identity, { id, resolution: { outcome: 'registered', code, note: 'seen there' } });
  await expect(resolve('BY-HAND')).rejects.toMatchObject({
    code: 'validation_error',
    details: { code: [expect.stringContaining('a UUID')] },
  });
  await resolve('5D3B1F0E-6c2a-4b7d-9f18-3a4c5e6d7f80');
  expect((await system.state(id)).status).toBe('registered');
  await system.close();
});

test('a receipt’s till is opened first', async () => {
  const { system } = open();
  await setCertificate(system);
  const { document_id } = await system.submit({ ...alReceipt(), ...now() });
  await system.until(document_id, 'registered');
  expect((await system.attempts(document_id)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['deposit', 'registered'],
    ['submit', 'registered'],
  ]);
  await system.close();
});
