/** Base64 of the bytes wherever they begin in what was encoded, without the characters that depend on what is around them. */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return text.slice([0, 2, 3][before], (before + bytes.length) % 3 === 0 ? undefined : -1);
  });
}

/** Every spelling in which a program may have written these bytes: hex, base64, and both of base64's alphabets. */
const encoded = (bytes: Buffer): string[] => {
  const base64 = base64Within(bytes);
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...base64, ...url];
};

/** A text as it is, in other encodings of text, and of a webhook secret the key behind `whsec_` too. To be searched for in bytes. */
function spellings(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const key = text.startsWith('whsec_') ? text.slice('whsec_'.length) : undefined;
  const texts = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), ...encoded(bytes)];
  const ofKey = key === undefined ? [] : [key, encodeURIComponent(key), ...encoded(Buffer.from(key, 'base64'))];
  return [
    ...[...new Set([...texts, ...ofKey])].map((one) => Buffer.from(one)),
    Buffer.from(text, 'utf16le'),
    ...(key === undefined ? [] : [Buffer.from(key, 'base64')]),
  ];
}

/** Of the texts, those of which a spelling is in the bytes. */
export function spelledIn(bytes: Buffer | string, texts: readonly string[]): string[] {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return texts.filter((text) => spellings(text).some((spelling) => all.includes(spelling)));
}
