import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { CisClient, element, envelope, signElement, stamp, type CisReply } from '../testing/cis-client.ts';
import { serveSimulator, type ServedSimulator } from '../testing/served.ts';
import { testAuthority } from '../pki/test-authority.ts';

let served: ServedSimulator;
let client: CisClient;

beforeAll(async () => {
  served = await serveSimulator('al-cis');
  client = await CisClient.open(served, 'al-cis');
});
beforeEach(() => served.clock.set('2026-03-02T10:00:00Z'));
afterAll(() => served.close());

const request = (): string => client.message('RegisterInvoiceRequest', {}, element('Invoice', client.invoice(), client.parts()));
const signed = (): string => signElement(request(), client.credentials);
const changed = (from: string | RegExp, to: string): Promise<CisReply> => client.post(envelope(signed().replace(from, to)));
const withCertificate = async (fields: object): Promise<CisReply> => {
  const credentials = await CisClient.certificate(served, 'al-cis', { tax_id: client.taxId, ...fields });
  return client.post(envelope(signElement(request(), credentials)));
};
/** A certificate that the simulator did not issue. */
const madeBy = (country: string, bits: number): Promise<CisReply> => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const subject = { country, name: 'Another', taxId: client.taxId };
  const [from, to] = [Date.UTC(2025, 0, 1), Date.UTC(2035, 0, 1)];
  const certificate = testAuthority(country).issue({ subject, key: createPublicKey(privateKey), serial: '99', from, to });
  return client.post(envelope(signElement(request(), { key: privateKey, certificate })));
};

describe('the form of a message', () => {
  test.each<[string, number, () => Promise<CisReply>]>([
    ['larger than 150 kB', 1, () => client.post(envelope(`<!--${'x'.repeat(160_000)}-->`))],
    ['larger than is read', 1, () => client.post('x'.repeat(1_200_000))],
    ['no XML', 10, () => client.post('{}')],
    ['cut off', 10, () => client.post(envelope(signed()).slice(0, 1_000))],
    ['with a document type', 10, () => client.post(envelope(signed()).replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>'))],
    ['with an instruction', 10, () => client.post(envelope(signed()).replace('?>', '?><?php ?>'))],
    ['nested too deep', 10, () => client.post(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)],
    ['with too many attributes', 10, () => client.post(`<a ${Array.from({ length: 100 }, (_, n) => `b${n}="c"`).join(' ')}/>`)],
    ['not in UTF-8', 10, async () => client.post(Buffer.from(envelope('<a>ë</a>'), 'latin1') as never)],
    ['without a request', 22, () => client.post(envelope(''))],
    ['with another request', 22, () => client.post(envelope('<RegisterWTNRequest/>'))],
    ['of another namespace', 22, () => client.post(envelope(signed().replace('eFiskalizimi.tatime.gov.al', 'example.com')))],
    ['with characters that are not ASCII', 11, () => client.send(request().replace('Name="Seller"', 'Name="Shtëpia"'))],
  ])('%s is refused', async (_what, error, send) => {
    expect(await send()).toMatchObject({ status: 500, error });
  });

  test('that is right is accepted with a prefix and white space as well', async () => {
    const prefixed = request()
      .replace(/<(\/?)([A-Z])/g, '<$1f:$2')
      .replace('xmlns=', 'xmlns:f=')
      .replaceAll('/><', '/>\n  <');
    expect(await client.send(prefixed)).toMatchObject({ status: 200 });
    const located = request().replace(' Id=', ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b" Id=');
    expect(await client.send(located)).toMatchObject({ status: 200 });
  });

  test('is asked for by POST on its path alone', async () => {
    const url = `http://${served.simulator.addresses['al-cis']}`;
    expect((await fetch(`${url}/FiscalizationService-v3`)).status).toBe(405);
    expect((await fetch(`${url}/elsewhere`, { method: 'POST' })).status).toBe(404);
  });
});

describe('the signature of a message', () => {
  test.each<[string, number, () => Promise<CisReply>]>([
    ['missing', 21, () => client.post(envelope(request()))],
    ['there twice', 24, () => changed(/(<Signature.*<\/Signature>)/, '$1$1')],
    ['without a value', 23, () => changed(/<SignatureValue>.*<\/SignatureValue>/, '')],
    ['of another element', 25, () => changed('URI="#Request"', 'URI="#Response"')],
    ['by another method', 26, () => changed('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha512')],
    [
      'of another canonical form',
      27,
      () =>
        changed(
          'CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"',
          'CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"',
        ),
    ],
    ['by another digest', 28, () => changed('xmlenc#sha256', 'xmlenc#sha512')],
    ['by other transforms', 31, () => changed(/<Transform Algorithm="[^"]*enveloped-signature"\/>/, '')],
    ['of another content', 30, () => changed('Name="Seller"', 'Name="Another"')],
    ['with another value', 29, () => changed(/<SignatureValue>..../, '<SignatureValue>AAAA')],
    ['with two keys', 32, () => changed(/(<KeyInfo>.*<\/KeyInfo>)/, '$1$1')],
    ['without a certificate', 33, () => changed(/<X509Data>.*<\/X509Data>/, '<KeyName>a</KeyName>')],
    ['with a certificate that is none', 34, () => changed(/<X509Certificate>[^<]*/, '<X509Certificate>AAAA')],
    ['of a small key', 34, () => madeBy('AL', 1_024)],
    ['by a certificate of another authority', 35, () => madeBy('ME', 2_048)],
    ['by an expired certificate', 36, () => withCertificate({ days: -1 })],
    ['by the certificate of another taxpayer', 37, () => withCertificate({ tax_id: 'K72001008V' })],
    ['by a revoked certificate', 38, () => withCertificate({ revoked: true })],
  ])('%s is refused', async (_what, error, send) => {
    expect(await send()).toMatchObject({ status: 500, error, code: undefined });
  });

  test('by a certificate without a tax number is accepted', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3_072 });
    const subject = { country: 'AL', name: 'Test taxpayer' };
    const [from, to] = [Date.UTC(2025, 0, 1), Date.UTC(2035, 0, 1)];
    const certificate = testAuthority('AL').issue({ subject, key: createPublicKey(privateKey), serial: '98', from, to });
    await client.registerInvoice();
    expect(await client.post(envelope(signElement(request(), { key: privateKey, certificate })))).toMatchObject({ status: 200 });
  });
});

describe('the time of a message', () => {
  const at = (minutes: number): string => stamp(served.clock.now() + minutes * 60_000);
  const days = (count: number): string => at(count * 24 * 60);

  test.each([-3, 3])('%i minutes off the clock of the authority is refused', async (minutes) => {
    expect(await client.registerInvoice(client.invoice({ IssueDateTime: at(minutes) }))).toMatchObject({ error: 2 });
  });

  test('must be the time of issue, by its text, where the message is not marked as late', async () => {
    const fields = client.invoice({ IssueDateTime: at(-1) });
    expect(await client.registerInvoice(fields, { header: { SendDateTime: at(0) } })).toMatchObject({ error: 11 });
    const other = `${new Date(served.clock.now() + 3_600_000).toISOString().slice(0, 19)}+01:00`;
    expect(await client.registerInvoice(client.invoice({ IssueDateTime: at(0) }), { header: { SendDateTime: other } })).toMatchObject({
      error: 11,
    });
    expect(await client.registerInvoice(client.invoice({ IssueDateTime: other }), { header: { SendDateTime: other } })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    ['TECHNICALERROR', -1.9, 200],
    ['TECHNICALERROR', -2.1, 500],
    ['SERVICE', -1.9, 200],
    ['SERVICE', -2.1, 500],
    ['BOUNDBOOK', -10.9, 200],
    ['BOUNDBOOK', -11.1, 500],
    ['NOINTERNET', -29, 200],
    ['NOINTERNET', -31, 500],
    ['TECHNICALERROR', 0.1, 500],
  ])('a message that is late by %s and %d days of age gets %i', async (late, age, status) => {
    const fields = client.invoice({ IssueDateTime: days(age) });
    expect((await client.registerInvoice(fields, { header: { SubseqDelivType: late } })).status).toBe(status);
  });

  test('of an invoice of the month before is within its window until the 10th', async () => {
    served.clock.set('2026-04-10T12:00:00Z');
    const send = () =>
      client.registerInvoice(client.invoice({ IssueDateTime: '2026-03-01T10:00:00+00:00' }), { header: { SubseqDelivType: 'NOINTERNET' } });
    expect(await send()).toMatchObject({ status: 200 });
    served.clock.set('2026-04-11T12:00:00Z');
    expect(await send()).toMatchObject({ error: 11 });
  });
});
