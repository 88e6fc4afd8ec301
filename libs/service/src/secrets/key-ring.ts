import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Seals what is kept at rest with AES-256-GCM. Every sealed text names the version that its key had. */
export interface KeyRing {
  /** With the newest key: `v2.<base64url of nonce, text, tag>`. Each time another text. */
  seal(plain: Uint8Array | string): string;
  /** With whichever key it was sealed with, under whatever version. Throws when the key is not in the ring or the text was changed. */
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
  const [newest, newestKey] = entries.reduce((a, b) => (a[0] > b[0] ? a : b));
  return {
    seal: (plain) => `v${newest}.${seal(newestKey, plain).toString('base64url')}`,
    open(sealed) {
      const [, version, body] = /^v(\d+)\.([\w-]+)$/.exec(sealed) ?? [];
      if (!version || !body) throw new RangeError('not a sealed text');
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < NONCE + TAG) throw new RangeError('not a sealed text');
      const likely = keys.get(Number(version)) ?? newestKey;
      for (const key of [likely, ...keys.values()]) {
        const plain = open(key, bytes);
        if (plain) return plain;
      }
      throw new RangeError(`no key of the ring opens what was sealed as v${version}, or it was changed`);
    },
  };
}

/** A new ring of one key, in the form that `parseKeyRing` reads. */
export const newKeyRing = (): string => `v1:${randomBytes(32).toString('base64')}`;

function seal(key: Buffer, plain: Uint8Array | string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where it is not the key, or the text was changed. */
function open(key: Buffer, sealed: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  const plain = decipher.update(sealed.subarray(NONCE, sealed.length - TAG));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
