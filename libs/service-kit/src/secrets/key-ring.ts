import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Seals what is kept at rest with AES-256-GCM. Every sealed text names the version of its key, so that keys can be changed. */
export interface KeyRing {
  /** With the newest key: `v2.<base64url of nonce, text, tag>`. Each time another text. */
  seal(plain: Uint8Array | string): string;
  /** Throws when the key is not in the ring or the text was changed. */
  open(sealed: string): Buffer;
}

const NONCE = 12;
const TAG = 16;
const ENTRY = /^v([1-9]\d{0,8}):([A-Za-z0-9+/]{43}=)$/;

/** A ring from `v1:<base64 of 32 bytes>[,v2:…]`; the highest version seals. Throws, without a word of the keys, when it is none. */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(',').map((entry) => {
    const [, version, key] = ENTRY.exec(entry.trim()) ?? [];
    if (!version || !key) throw new RangeError('a key ring is v1:<base64 of 32 bytes>, and more such with commas between');
    return [Number(version), Buffer.from(key, 'base64')] as const;
  });
  const keys = new Map(entries);
  if (keys.size < entries.length) throw new RangeError('a key ring has each version once');
  const newest = Math.max(...keys.keys());
  return {
    seal: (plain) => `v${newest}.${seal(keyOf(keys, newest), plain).toString('base64url')}`,
    open(sealed) {
      const [, version, body] = /^v(\d+)\.([\w-]+)$/.exec(sealed) ?? [];
      if (!version || !body) throw new RangeError('not a sealed text');
      return open(keyOf(keys, Number(version)), Buffer.from(body, 'base64url'));
    },
  };
}

/** A new ring of one key, in the form that `parseKeyRing` reads. */
export const newKeyRing = (): string => `v1:${randomBytes(32).toString('base64')}`;

function keyOf(keys: ReadonlyMap<number, Buffer>, version: number): Buffer {
  const key = keys.get(version);
  if (!key) throw new RangeError(`the key ring has no key v${version}`);
  return key;
}

function seal(key: Buffer, plain: Uint8Array | string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Buffer): Buffer {
  if (sealed.length < NONCE + TAG) throw new RangeError('not a sealed text');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE, sealed.length - TAG)), decipher.final()]);
}
