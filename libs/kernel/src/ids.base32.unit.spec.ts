import fc from 'fast-check';
import { bytesFromBase32, toBase32 } from './ids.ts';

const sixteen = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('base32', () => {
  test('encodes 16 bytes in 26 characters and decodes them', () => {
    fc.assert(
      fc.property(sixteen, (bytes) => {
        const text = toBase32(bytes);
        expect(text).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        expect(bytesFromBase32(text)).toEqual(bytes);
      }),
    );
  });

  test('text sorts like the bytes', () => {
    fc.assert(
      fc.property(sixteen, sixteen, (a, b) => {
        expect(Math.sign(Buffer.compare(a, b))).toBe(toBase32(a) < toBase32(b) ? -1 : toBase32(a) > toBase32(b) ? 1 : 0);
      }),
    );
  });

  test('throws on a character that is not base32', () => {
    for (const letter of ['i', 'l', 'o', 'u', 'A', '-', 'ë']) expect(() => bytesFromBase32(letter.repeat(26))).toThrow(RangeError);
  });
});
