const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const VALUES = new Map([...LETTERS].map((letter, value) => [letter, value]));

/** 16 bytes as 26 characters of Crockford's base32, lower case, big-endian: sorts as the bytes do. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let rest = 2; // 130 bits of text for 128 of value: two leading zeros
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    rest += 8;
    while (rest >= 5) {
      rest -= 5;
      text += LETTERS[(bits >>> rest) & 31];
    }
    bits &= (1 << rest) - 1;
  }
  return text;
}

/** The 16 bytes of 26 characters; throws on a letter that is none. */
export function bytesFromBase32(text: string): Uint8Array {
  const bytes = new Uint8Array(16);
  let bits = 0;
  let held = -2;
  let at = 0;
  for (const letter of text) {
    const value = VALUES.get(letter);
    if (value === undefined) throw new RangeError('not base32');
    bits = ((bits << 5) | value) & 0xffff;
    held += 5;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = (bits >>> held) & 255;
    }
  }
  return bytes;
}
