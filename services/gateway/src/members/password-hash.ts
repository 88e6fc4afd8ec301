import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** How a password is stored: scrypt (RFC 7914). */
export interface PasswordHash {
  /** log2 of the cost, block size and parallelism. */
  n: number;
  r: number;
  p: number;
  /** base64url */
  salt: string;
  hash: string;
}

const COST = { n: 15, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derived = (password: string, { n, r, p, salt }: Omit<PasswordHash, 'hash'>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Twice what it needs (128 N r), which Node takes for the limit.
    const options = { N: 2 ** n, r, p, maxmem: 256 * 2 ** n * r };
    scrypt(password.normalize('NFC'), Buffer.from(salt, 'base64url'), HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** Takes some 60 ms of a processor in a thread of its own, and 32 MiB. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const cost = { ...COST, salt: randomBytes(SALT_BYTES).toString('base64url') };
  return { ...cost, hash: (await derived(password, cost)).toString('base64url') };
}

/** A password that nobody has: what is compared with it takes the time of any other. */
const NOBODYS: PasswordHash = {
  ...COST,
  salt: randomBytes(SALT_BYTES).toString('base64url'),
  hash: randomBytes(HASH_BYTES).toString('base64url'),
};

/** null: nobody's password. Compares in constant time, and takes the same time for both. */
export async function isPassword(password: string, hash: PasswordHash | null): Promise<boolean> {
  const against = hash ?? NOBODYS;
  return timingSafeEqual(await derived(password, against), Buffer.from(against.hash, 'base64url'));
}
