import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const der = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const value = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
  const long = value.length.toString(16).padStart(value.length < 256 ? 2 : 4, '0');
  const length = value.length < 128 ? Buffer.of(value.length) : Buffer.from(`8${long.length / 2}${long}`, 'hex');
  return Buffer.concat([Buffer.of(tag), length, value]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(6, hex);
const bits = (value: Buffer): Buffer => der(3, '00', value);
/** An odd number of so many bytes, whose first is this one: a larger number has a larger one. */
const odd = (bytes: number, first: number): Buffer =>
  der(2, first < 0x80 ? '' : '00', Buffer.of(first), randomBytes(bytes - 2), Buffer.of(0x71));
const pem = (label: string, value: Buffer): string =>
  [`-----BEGIN ${label}-----`, ...(value.toString('base64').match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join('\n');

const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), der(5));
const RSA = sequence(oid('2a864886f70d010101'), der(5));
const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(12, Buffer.from(name)))));
const validity = sequence(der(23, Buffer.from('250101000000Z')), der(23, Buffer.from('491231000000Z')));
/** The subject's alternative name: 127.0.0.1. */
const loopback = der(0xa3, sequence(sequence(oid('551d11'), der(4, sequence(der(0x87, '7f000001'))))));

interface Made {
  subject: string;
  issuer: string;
  publicKey: Buffer;
  signature: (signed: Buffer) => Buffer;
}

/** In PEM. */
function certificate({ subject, issuer, publicKey, signature }: Made): string {
  const version = der(0xa0, der(2, '02'));
  const names = [nameOf(issuer), validity, nameOf(subject)];
  const signed = sequence(version, odd(8, 0x11), SHA256_WITH_RSA, ...names, publicKey, loopback);
  return pem('CERTIFICATE', sequence(signed, SHA256_WITH_RSA, bits(signature(signed))));
}

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKey = own.publicKey.export({ type: 'spki', format: 'der' });

/** Signed by itself. */
export const ordinary = certificate({
  ...{ subject: 'receiver', issuer: 'receiver', publicKey },
  signature: (signed) => sign('sha256', signed, own.privateKey),
});

/**
 * The receiver's certificate, and others whose signatures OpenSSL verifies each for as long as it can take: a number of 3,072 bits to the power of another.
 * It knows none of their issuers, and verifies all the same.
 */
export function chain(others: number): string {
  const BYTES = 384;
  const signature = (): Buffer => Buffer.concat([Buffer.of(0x20), randomBytes(BYTES - 1)]);
  const large = (): Buffer => sequence(RSA, bits(sequence(odd(BYTES, 0xf1), odd(BYTES, 0x41))));
  const issuers = Array.from({ length: others }, (_, n) =>
    certificate({ subject: `issuer ${n}`, issuer: `issuer ${n + 1}`, publicKey: large(), signature }),
  );
  return [certificate({ subject: 'receiver', issuer: 'issuer 0', publicKey, signature }), ...issuers].join('');
}

/** A group of Diffie-Hellman, the largest that OpenSSL takes: 10,000 bits. */
export const largestGroup = (): string => pem('DH PARAMETERS', sequence(odd(1_250, 0xf1), der(2, '02')));
