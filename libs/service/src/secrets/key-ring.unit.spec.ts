import { register } from 'prom-client';
import { newKeyRing, parseKeyRing } from './key-ring.ts';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

describe('a key ring', () => {
  test('decrypts what it encrypts, text or bytes', () => {
    const ring = parseKeyRing(newKeyRing());
    expect(ring.decrypt(ring.encrypt('pässword')).toString()).toBe('pässword');
    expect(ring.decrypt(ring.encrypt(new Uint8Array([0, 255])))).toEqual(Buffer.from([0, 255]));
    expect(ring.decrypt(ring.encrypt(''))).toHaveLength(0);
  });

  test('encrypts the same text to a different ciphertext each time', () => {
    const ring = parseKeyRing(newKeyRing());
    expect(ring.encrypt('x')).not.toBe(ring.encrypt('x'));
  });

  test('encrypts with the newest key and decrypts with older ones', () => {
    const old = parseKeyRing(`v1:${key(1)}`);
    const both = parseKeyRing(`v10:${key(2)}, v1:${key(1)}`);
    expect(both.decrypt(old.encrypt('x')).toString()).toBe('x');
    expect(both.encrypt('x')).toMatch(/^v10\./);
    expect(() => old.decrypt(both.encrypt('x'))).toThrow('v10');
  });

  test('decrypts with any of its keys, also when the version of a key has changed', () => {
    const ciphertext = parseKeyRing(`v7:${key(1)}`).encrypt('x');
    for (const ring of [`v1:${key(1)}`, `v7:${key(2)},v1:${key(1)}`, `v7:${key(1)},v8:${key(2)}`])
      expect(parseKeyRing(ring).decrypt(ciphertext).toString()).toBe('x');
  });

  test('counts what no key decrypts', async () => {
    const ciphertext = parseKeyRing(`v2:${key(2)}`).encrypt('x');
    const failures = async (): Promise<number> =>
      Number(/^svc_decryption_failures_total (\d+)$/m.exec(await register.getSingleMetricAsString('svc_decryption_failures_total'))?.[1]);
    const before = await failures();
    expect(() => parseKeyRing(`v1:${key(1)}`).decrypt(ciphertext)).toThrow('v2');
    parseKeyRing(`v1:${key(1)},v2:${key(2)}`).decrypt(ciphertext);
    expect((await failures()) - before).toBe(1);
  });

  test('throws on a changed ciphertext, one of another key, and other text', () => {
    const ring = parseKeyRing(`v1:${key(1)}`);
    const [version, body = ''] = ring.encrypt('secret').split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (const at of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => ring.decrypt(`${version}.${changed.toString('base64url')}`)).toThrow();
    }
    expect(() => parseKeyRing(`v1:${key(2)}`).decrypt(`${version}.${body}`)).toThrow();
    for (const none of ['', 'v1', 'v1.', 'v1.AAAA', body]) expect(() => ring.decrypt(none)).toThrow();
  });

  test.each(['', 'v1', `v0:${key(1)}`, `${key(1)}`, `v1:${key(1)},`, `v1:${key(1).slice(4)}`, `v1:${key(1)},v1:${key(2)}`])(
    'rejects %j with a message without keys',
    (text) => {
      expect(() => parseKeyRing(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(key(1).slice(0, 20)) }));
    },
  );
});

describe('signatures', () => {
  const [old, other] = [parseKeyRing(`v1:${key(1)}`), parseKeyRing(`v1:${key(2)}`)];
  const both = parseKeyRing(`v2:${key(2)},v1:${key(1)}`);

  test('are recognized by every ring that has their key, and are made with the newest one', () => {
    expect(both.hasSigned('links', 'text', old.sign('links', 'text'))).toBe(true);
    expect(both.sign('links', 'text')).toBe(other.sign('links', 'text'));
    expect(old.hasSigned('links', 'text', both.sign('links', 'text'))).toBe(false);
  });

  test('are of one text and one purpose', () => {
    const signature = old.sign('links', 'text');
    for (const [purpose, text, given] of [
      ['other', 'text', signature],
      ['links', 'texts', signature],
      ['links', 'text', `${signature}A`],
      ['links', 'text', ''],
    ] as const)
      expect(old.hasSigned(purpose, text, given)).toBe(false);
  });
});
