import fc from 'fast-check';
import { bytesFromBase32, toBase32 } from './ids.ts';

const sixteen = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('base32', () => {
  test('16 bytes are 26 characters and come back', () => {
    fc.assert(
      fc.property(sixteen, (bytes) => {
        const text = toBase32(bytes);
        expect(text).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        expect(bytesFromBase32(text)).toEqual(bytes);
      }),
    );
  });

  test('text sorts as the bytes do', () => {
    fc.assert(
      fc.property(sixteen, sixteen, (a, b) => {
        expect(Math.sign(Buffer.compare(a, b))).toBe(toBase32(a) < toBase32(b) ? -1 : toBase32(a) > toBase32(b) ? 1 : 0);
      }),
    );
  });

  test('a letter that is none is refused', () => {
    for (const letter of ['i', 'l', 'o', 'u', 'A', '-', 'ë']) expect(() => bytesFromBase32(letter.repeat(26))).toThrow(RangeError);
  });
});
