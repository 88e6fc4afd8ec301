import { readPkcs12 } from './pkcs12.ts';
import { frozenFile, newFile } from './testing/files.ts';

const refused = (field: string, message: string) => ({ refused: { [field]: expect.stringContaining(message) } });
const rsa = {
  subject: 'C=AL, O=Test only, CN=Agjencia Çelësi',
  serial: '5A47A3F6455221975E54B6BD54E5F7DE29FC1CC8',
  expiresAt: Date.parse('2100-10-27T19:14:22Z'),
  fingerprint: 'e9a0fd331ff8b310696cf495d405175c5c9cf8c1b0cfd63e3dbcaa6840384a07',
};

describe('reads a file of OpenSSL, whose passphrase has letters beyond ASCII', () => {
  test.each(['modern', 'legacy'] as const)('%s: AES-256 with PBKDF2, or RC2 and 3DES', (name) => {
    expect(readPkcs12(frozenFile(name))).toEqual(rsa);
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

test('more than two million iterations of PBKDF2 are refused, because ending the worker does not interrupt them', () => {
  const iterations = (hex: string): Buffer => Buffer.from(`0203${hex}`, 'hex');
  const bytes = Buffer.from(newFile({ useMac: false, iterations: 0x01_00_00 }).certificate, 'base64');
  const at = bytes.indexOf(iterations('010000'));
  expect(at).toBeGreaterThan(0);
  iterations('7fffff').copy(bytes, at);
  const certificate = bytes.toString('base64');
  expect(readPkcs12({ certificate, passphrase: 'secret' })).toEqual(refused('certificate', 'too many iterations'));
});
