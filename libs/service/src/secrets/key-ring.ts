import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Counter } from 'prom-client';

/** Where a ciphertext is stored: names of a collection of the service and of its row. */
export interface RowOf {
  collection: string;
  id: string;
}

export type CiphertextState = 'newest' | 'older' | 'unreadable';

const NONCE = 12;
const TAG = 16;
/** Additional data of a ciphertext that is bound to no row. */
const NO_ROW = Buffer.alloc(0);
const ENTRY = /^v([1-9]\d{0,8}):([A-Za-z0-9+/]{43}=)$/;

const unreadable = new Counter({
  name: 'svc_decryption_failures_total',
  help: 'Stored data that no key of SECRETS_KEY decrypted.',
});

/** Parses a ring: `v1:<base64 of 32 bytes>[,v2:…]`. The highest version encrypts. Throws a `RangeError` that never contains a key. */
export function parseKeyRing(text: string) {
  const entries = text.split(',').map((entry) => {
    const [, version, key] = ENTRY.exec(entry.trim()) ?? [];
    if (!version || !key) throw new RangeError('a key ring is v1:<base64 of 32 bytes>, and more such with commas between');
    return [Number(version), Buffer.from(key, 'base64')] as const;
  });
  const keys = new Map(entries);
  if (keys.size < entries.length) throw new RangeError('a key ring has each version once');
  const [newest, newestKey] = entries.reduce((a, b) => (a[0] > b[0] ? a : b));
  return {
    /**
     * Encrypts with the newest key and a new nonce: `v2.<base64url of nonce, text, tag>`. from 0.3: bound to its row, as `v2.row.<base64url of nonce, text, tag>` with
     * `boundTo` as additional data; 0.1.0, which may run beside this release, cannot read that.
     */
    encrypt: (plain: Uint8Array | string): string => `v${newest}.${encrypt(newestKey, plain).toString('base64url')}`,
    /**
     * Tries every key of the ring. Throws a `RangeError` if none fits, the text was changed, or it is bound to another row than this. What is
     * bound to no row is read too, as `encrypt` writes it.
     */
    decrypt(ciphertext: string, row: RowOf): Buffer {
      const [, version, bound, body] = /^v(\d+)\.(row\.)?([\w-]+)$/.exec(ciphertext) ?? [];
      if (!version || !body) throw new RangeError('not a ciphertext');
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < NONCE + TAG) throw new RangeError('not a ciphertext');
      const likely = keys.get(Number(version)) ?? newestKey;
      for (const key of [likely, ...keys.values()]) {
        const plain = decrypt(key, bytes, bound ? boundTo(row) : NO_ROW);
        if (plain) return plain;
      }
      unreadable.inc();
      throw new RangeError(`no key of the ring decrypts what was encrypted as v${version}, or it was changed or moved from another row`);
    },
    /** By which of its keys the ring decrypts a ciphertext, without counting one that none does. */
    stateOf(ciphertext: string, row: RowOf): CiphertextState {
      const [, bound, body = ''] = /^v\d+\.(row\.)?([\w-]+)$/.exec(ciphertext) ?? [];
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < NONCE + TAG) return 'unreadable';
      const opens = (key: Buffer): boolean => decrypt(key, bytes, bound ? boundTo(row) : NO_ROW) !== undefined;
      if (opens(newestKey)) return 'newest';
      return [...keys.values()].some(opens) ? 'older' : 'unreadable';
    },
    /** HMAC-SHA256 in base64url, under a key that is derived from the newest one for this purpose (HKDF-SHA256). */
    sign: (purpose: string, text: string): string => sign(newestKey, purpose, text),
    /** Whether a key of the ring made this signature. Compares in constant time. */
    hasSigned: (purpose: string, text: string, signature: string): boolean =>
      [...keys.values()].some((key) => isSame(sign(key, purpose, text), signature)),
  };
}

export type KeyRing = ReturnType<typeof parseKeyRing>;

/** A new ring with one key, in the form of `parseKeyRing`. */
export const newKeyRing = (): string => `v1:${randomBytes(32).toString('base64')}`;

function sign(key: Buffer, purpose: string, text: string): string {
  const derived = new Uint8Array(hkdfSync('sha256', key, '', `signs ${purpose}`, 32));
  return createHmac('sha256', derived).update(text).digest('base64url');
}

function isSame(made: string, given: string): boolean {
  const [one, other] = [Buffer.from(made), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Additional data of AES-GCM: as JSON, so that no two rows have the same. */
const boundTo = ({ collection, id }: RowOf): Buffer => Buffer.from(JSON.stringify([collection, id]));

function encrypt(key: Buffer, plain: Uint8Array | string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** undefined if the key does not fit, or the text or its row was changed. */
function decrypt(key: Buffer, ciphertext: Buffer, row: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(row);
  decipher.setAuthTag(ciphertext.subarray(ciphertext.length - TAG));
  const plain = decipher.update(ciphertext.subarray(NONCE, ciphertext.length - TAG));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
