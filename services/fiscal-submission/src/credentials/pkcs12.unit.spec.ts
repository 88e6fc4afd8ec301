import { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { readPkcs12, type CertificateFile, type ReadCertificate } from './pkcs12.ts';
import { derText, frozenFile, macIterations, newFile, octets } from './testing/files.ts';

type Asn1 = forge.asn1.Asn1;
const valuesOf = (asn1: Asn1 | undefined): Asn1[] => asn1?.value as Asn1[];
const refused = (field: string, message: string) => ({ refused: { [field]: expect.stringContaining(message) } });
const rsa = {
  subject: 'C=AL, O=Test only, CN=Agjencia Çelësi',
  serial: '5A47A3F6455221975E54B6BD54E5F7DE29FC1CC8',
  validFrom: Date.parse('2026-11-24T19:14:22Z'),
  expiresAt: Date.parse('2100-10-27T19:14:22Z'),
  fingerprint: 'e9a0fd331ff8b310696cf495d405175c5c9cf8c1b0cfd63e3dbcaa6840384a07',
};

describe('reads a file of OpenSSL, whose passphrase has letters beyond ASCII', () => {
  test.each(['modern', 'legacy'] as const)('%s: AES-256 with PBKDF2, or RC2 and 3DES', (name) => {
    const { opened, ...shown } = readPkcs12(frozenFile(name)) as ReadCertificate;
    expect(shown).toEqual(rsa);
    const own = new X509Certificate(Buffer.from(opened.certificate, 'base64'));
    const key = createPrivateKey({ key: Buffer.from(opened.key, 'base64'), format: 'der', type: 'pkcs8' });
    expect([own.serialNumber, own.checkPrivateKey(key)]).toEqual([rsa.serial, true]);
  });

  test('with a key of an elliptic curve, and the certificate of another key beside it', () => {
    expect(readPkcs12(frozenFile('ec'))).toMatchObject({
      subject: 'C=ME, CN=Test only',
      fingerprint: '2e8f4fcc5535c6434082648e19cdceded23bc404fb164c30c7a4c96a284cee7d',
    });
  });
});

test.each(['aes256', '3des'] as const)('reads a file of node-forge: %s', (algorithm) => {
  expect(readPkcs12(newFile({ algorithm }))).toMatchObject({ subject: 'CN=Test only', expiresAt: Date.parse('2060-01-01') });
});

test('leaves the library to the rest of the process as it is', () => {
  const { opened } = readPkcs12(frozenFile('modern')) as ReadCertificate;
  const { publicKey } = new X509Certificate(Buffer.from(opened.certificate, 'base64'));
  const read = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }) as string);
  expect(read.n.bitLength()).toBe(publicKey.asymmetricKeyDetails?.modulusLength);
});

describe('names the field that is wrong', () => {
  test.each(['modern', 'legacy', 'ec'] as const)('another passphrase: %s', (name) => {
    expect(readPkcs12({ ...frozenFile(name), passphrase: 'celes 1' })).toEqual(refused('passphrase', 'does not open'));
  });

  test('another passphrase of a file without a MAC', () => {
    const useMac = false;
    expect(readPkcs12(newFile({ useMac }))).toMatchObject({ subject: 'CN=Test only' });
    expect(readPkcs12({ ...newFile({ useMac }), passphrase: 'other' })).toEqual(refused('passphrase', 'does not open'));
  });

  const der = Buffer.from(frozenFile('modern').certificate, 'base64');
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('-----BEGIN CERTIFICATE-----')],
    ['a part of a file', der.subarray(0, 500)],
    ['a file with more behind it', Buffer.concat([der, der])],
    ['nested sequences', Buffer.from('3080'.repeat(20_000), 'hex')],
    ['ASN.1 of something else', Buffer.from('3003020103', 'hex')],
    ['a sequence of two, as PKCS#7 and an encrypted key are', Buffer.from('300406002000', 'hex')],
  ])('%s is not PKCS#12', (_what, bytes) => {
    expect(readPkcs12({ certificate: bytes.toString('base64'), passphrase: 'x' })).toEqual(refused('certificate', 'Send a PKCS#12 file'));
  });

  test.each([
    ['certificate', 'no private key'],
    ['key', 'no certificate'],
    ['foreign key', 'does not belong'],
  ] as const)('a file with only a %s', (has, message) => {
    expect(readPkcs12(newFile({ has }))).toEqual(refused('certificate', message));
  });
});

test('bit strings within bit strings are not read: each would be a copy, hundreds of MB of a small file', () => {
  const value = (tag: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.of(tag, 0x82, bytes.length >> 8, bytes.length & 255), bytes]);
  let nested = value(0x30, Buffer.alloc(40_000));
  while (nested.length < 60_000) nested = value(3, Buffer.concat([Buffer.of(0), nested]));
  const before = process.memoryUsage.rss();
  expect(readPkcs12({ certificate: nested.toString('base64'), passphrase: 'x' })).toEqual(refused('certificate', 'Send a PKCS#12 file'));
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20);
});

describe('more than two million iterations in all are refused before they are computed', () => {
  const refusedBefore = (file: CertificateFile): void => {
    const { user, system } = process.cpuUsage();
    expect(readPkcs12(file)).toEqual(refused('certificate', 'too many iterations'));
    const used = process.cpuUsage({ user, system });
    expect(used.user + used.system).toBeLessThan(1_000_000);
  };
  const { Class, Type } = forge.asn1;
  const MADE_WITH = 2048;
  const encoded = (iterations: number): string => forge.asn1.integerToDer(iterations).getBytes();
  /** DER within an octet string; undefined for other bytes, such as a salt. */
  const within = ({ type, tagClass, value }: Asn1): Asn1 | undefined => {
    if (tagClass !== Class.UNIVERSAL || type !== Type.OCTETSTRING || typeof value !== 'string') return undefined;
    try {
      return forge.asn1.fromDer(value);
    } catch {
      return undefined;
    }
  };
  /** Sets the iterations of every key. Computes none of them: the library takes a second for 32,768. */
  const setIterations = (asn1: Asn1, iterations: number): void => {
    const inner = within(asn1);
    if (inner) {
      setIterations(inner, iterations);
      asn1.value = derText(inner);
    } else if (Array.isArray(asn1.value)) asn1.value.forEach((one) => setIterations(one, iterations));
    else if (asn1.type === Type.INTEGER && asn1.value === encoded(MADE_WITH)) asn1.value = encoded(iterations);
  };
  /** A file whose first key has so many iterations, and its MAC fewer. */
  const firstOf = (algorithm: 'aes256' | '3des', iterations: number): CertificateFile =>
    newFile({
      ...{ algorithm, iterations: MADE_WITH },
      change(pfx) {
        const [content] = valuesOf(valuesOf(valuesOf(pfx)[1])[1]) as [Asn1];
        const [digest, salt] = valuesOf(valuesOf(pfx)[2]) as [Asn1, Asn1];
        const made = content.value;
        setIterations(content, iterations);
        expect(content.value).not.toBe(made);
        const mac = forge.hmac.create();
        mac.start('sha1', forge.pkcs12.generateKey('secret', forge.util.createBuffer(salt.value as string), 3, MADE_WITH, 20));
        mac.update(content.value as string);
        valuesOf(digest)[1] = octets(mac.getMac().getBytes());
      },
    });

  test.each(['aes256', '3des'] as const)('of %s', (algorithm) => refusedBefore(firstOf(algorithm, 0x7f_ff_ff)));

  test('of 3DES, whose key has two parts', () => refusedBefore(firstOf('3des', 1_000_000)));

  test.each([2_000_001, 2 ** 31 - 1])('of the MAC: %d', (iterations) => refusedBefore(newFile({ change: macIterations(iterations) })));

  test('of the MAC and of PBKDF2, which has fewer', () => refusedBefore(firstOf('aes256', 1_999_000)));
});
