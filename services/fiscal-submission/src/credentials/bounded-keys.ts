import forge from 'node-forge';

type Asn1 = forge.asn1.Asn1;

/** What OpenSSL must not be given: it computes while it decodes, without an end that anybody could wait for, and nothing interrupts it. */
export class UnboundedKey extends Error {}

/** Of RSA. OpenSSL itself takes twice as many, and as many of other algorithms as a file holds. */
const MOST_BYTES = 8_192 / 8;
const MOST_EXPONENT_BYTES = 8;
/** Of the largest curve: 521 bits. */
const MOST_EC_BYTES = 66;
const MOST_SERIAL_BYTES = 127;

const RSA = '1.2.840.113549.1.1.1';
const EC = '1.2.840.10045.2.1';
/** P-256, P-384, P-521, and brainpoolP256r1, P384r1 and P512r1 (RFC 5480, RFC 5639). */
const CURVES: readonly string[] = [
  ...['1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35'],
  ...['1.3.36.3.3.2.8.1.1.7', '1.3.36.3.3.2.8.1.1.11', '1.3.36.3.3.2.8.1.1.13'],
];

/** Checks a private key (PrivateKeyInfo, RFC 5958) before node:crypto decodes it. Throws `UnboundedKey`. */
export function checkPrivateKey(info: Asn1): void {
  const [, algorithm, octets] = parts(info);
  const key = parts(decoded(bytesOf(octets)));
  const curve = curveOf(algorithm);
  if (curve === undefined) return checkRsa(key, { integers: 9, exponents: [2] });
  const [version, secret, ...optional] = key;
  checkLength(version, 1);
  checkLength(secret, MOST_EC_BYTES);
  for (const { type, value } of optional) {
    const [inner] = Array.isArray(value) ? value : [];
    if (!inner || (type !== 0 && type !== 1)) throw new UnboundedKey();
    // The curve is said once more, where others may say its numbers; or the public key.
    if (type === 0 && oidOf(inner) !== curve) throw new UnboundedKey();
    if (type === 1) checkLength(inner, 2 * MOST_EC_BYTES + 2);
  }
}

/** Checks the public key and the serial number of a certificate (RFC 5280) before node:crypto decodes it. Throws `UnboundedKey`. */
export function checkCertificate(certificate: Asn1): void {
  const fields = parts(parts(certificate)[0]);
  const hasVersion = fields[0]?.tagClass === forge.asn1.Class.CONTEXT_SPECIFIC;
  const [serial, , , , , publicKey] = hasVersion ? fields.slice(1) : fields;
  checkLength(serial, MOST_SERIAL_BYTES);
  const [algorithm, bits] = parts(publicKey);
  const unused = 1;
  if (curveOf(algorithm) !== undefined) checkLength(bits, unused + 2 * MOST_EC_BYTES + 1);
  else checkRsa(parts(decoded(bytesOf(bits).slice(unused))), { integers: 2, exponents: [1] });
}

/** The curve of a key; undefined for RSA. Throws for every other algorithm, and for a curve that is written as its numbers. */
function curveOf(algorithm: Asn1 | undefined): string | undefined {
  const [oid, parameters] = parts(algorithm);
  const name = oidOf(oid);
  if (name === RSA && (!parameters || bytesOf(parameters) === '')) return undefined;
  const curve = name === EC ? oidOf(parameters) : '';
  if (!CURVES.includes(curve)) throw new UnboundedKey();
  return curve;
}

/** `integers`: how many a key of two primes has, at most; `exponents`: the places of public ones. */
function checkRsa(key: readonly Asn1[], { integers, exponents }: { integers: number; exponents: number[] }): void {
  if (key.length > integers) throw new UnboundedKey();
  const sign = 1;
  for (const [n, integer] of key.entries()) checkLength(integer, sign + (exponents.includes(n) ? MOST_EXPONENT_BYTES : MOST_BYTES));
}

function checkLength(asn1: Asn1 | undefined, most: number): void {
  if (bytesOf(asn1).length > most) throw new UnboundedKey();
}

/** The bytes of a value that has no parts, as characters. */
function bytesOf(asn1: Asn1 | undefined): string {
  if (typeof asn1?.value !== 'string') throw new UnboundedKey();
  return asn1.value;
}

function parts(asn1: Asn1 | undefined): readonly Asn1[] {
  if (!Array.isArray(asn1?.value)) throw new UnboundedKey();
  return asn1.value;
}

const oidOf = (asn1: Asn1 | undefined): string => {
  const bytes = bytesOf(asn1);
  return asn1?.type === forge.asn1.Type.OID && bytes.length <= 20 ? forge.asn1.derToOid(bytes) : '';
};

function decoded(bytes: string): Asn1 {
  try {
    return forge.asn1.fromDer(bytes);
  } catch {
    throw new UnboundedKey();
  }
}
