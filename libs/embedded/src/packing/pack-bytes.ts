/** Bytes by which phrases are distinguished at first, as one number. A shorter phrase is not looked for. */
const HEAD = 4;
/** Bits of a key. */
const KEY = 12;
const FIRST_PRINTABLE = 0x20;
const BEYOND_BYTES = /[^\0-\xff]/;

interface Candidate {
  /** Each four of its bytes, as a number; the last of them end where it ends. */
  words: Int32Array;
  length: number;
  /** The code's one or two bytes; 0: no second one. */
  first: number;
  second: number;
}

const keyOf = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - KEY);

export const isOfBytes = (text: string): boolean => !BEYOND_BYTES.test(text);

function candidateOf(phrase: string, code: string): Candidate {
  const bytes = Buffer.from(phrase, 'latin1');
  const words = [];
  for (let at = 0; at < bytes.length; at += HEAD) words.push(bytes.readInt32LE(Math.min(at, bytes.length - HEAD)));
  return {
    words: Int32Array.from(words),
    length: bytes.length,
    first: code.charCodeAt(0),
    second: code.length > 1 ? code.charCodeAt(1) : 0,
  };
}

/**
 * Returns a function that puts codes in place of phrases in a text whose characters are a byte each: from left to right the longest that begins there. undefined: the text has control
 * characters. `codes`: of each phrase, one or two characters; `mark` begins what is packed; `longest`: characters of the longest text. It takes a third of the time of a regular
 * expression, and what it returns is one piece of memory.
 */
export function createBytePacking(codes: ReadonlyMap<string, string>, { mark, longest }: { mark: string; longest: number }) {
  const starts = new Uint8Array(0x100);
  const keys = new Uint16Array(1 << KEY);
  const candidates: Candidate[][] = [[]];
  for (const [phrase, code] of [...codes].sort(([a], [b]) => b.length - a.length)) {
    if (phrase.length < HEAD || !isOfBytes(phrase)) continue;
    const candidate = candidateOf(phrase, code);
    const key = keyOf(candidate.words[0] as number);
    keys[key] ||= candidates.push([]) - 1;
    candidates[keys[key]]?.push(candidate);
    starts[phrase.charCodeAt(0)] = 1;
  }
  // One text at a time is packed.
  const given = Buffer.alloc(longest + HEAD);
  const words = new DataView(given.buffer, given.byteOffset, given.length);
  const packed = Buffer.alloc(longest + 1);
  packed[0] = mark.charCodeAt(0);

  const isAt = (candidate: Candidate, at: number): boolean => {
    const last = candidate.words.length - 1;
    for (let n = 0; n < last; n += 1) if (words.getInt32(at + n * HEAD, true) !== candidate.words[n]) return false;
    return words.getInt32(at + candidate.length - HEAD, true) === candidate.words[last];
  };

  const candidateAt = (at: number, end: number): Candidate | undefined => {
    const key = keys[keyOf(words.getInt32(at, true))] as number;
    if (key === 0) return undefined;
    const list = candidates[key] as Candidate[];
    for (let n = 0; n < list.length; n += 1) {
      const candidate = list[n] as Candidate;
      if (at + candidate.length <= end && isAt(candidate, at)) return candidate;
    }
    return undefined;
  };

  return (text: string): string | undefined => {
    const end = given.write(text, 'latin1');
    let to = 1;
    for (let at = 0; at < end; to += 1) {
      const byte = given[at] as number;
      if (byte < FIRST_PRINTABLE) return undefined;
      const found = starts[byte] === 1 ? candidateAt(at, end) : undefined;
      if (found === undefined) {
        packed[to] = byte;
        at += 1;
      } else {
        packed[to] = found.first;
        if (found.second !== 0) packed[(to += 1)] = found.second;
        at += found.length;
      }
    }
    return packed.toString('latin1', 0, to);
  };
}

/** Above every code of two bytes, as a number. */
const CODES = 0x2000;
const numberOf = (code: string): number => (code.length > 1 ? (code.charCodeAt(0) << 8) | code.charCodeAt(1) : code.charCodeAt(0));

interface Phrase {
  /** Each four of its bytes, as a number, and what fills the last of them. */
  words: Int32Array;
  length: number;
}

function phraseOf(phrase: string): Phrase {
  const bytes = Buffer.alloc(Math.ceil(phrase.length / HEAD) * HEAD);
  bytes.write(phrase, 'latin1');
  return { words: Int32Array.from({ length: bytes.length / HEAD }, (_, n) => bytes.readInt32LE(n * HEAD)), length: phrase.length };
}

/**
 * Returns the reverse, of a stored text whose characters are a byte each, in one piece of memory. undefined: it has characters that stand for themselves, or its text would be
 * longer than `longest`.
 */
export function createByteUnpacking(codes: ReadonlyMap<string, string>, { longest }: { longest: number }) {
  const phrases = new Array<Phrase | undefined>(CODES).fill(undefined);
  for (const [phrase, code] of codes) if (isOfBytes(phrase)) phrases[numberOf(code)] = phraseOf(phrase);
  // One text at a time is unpacked.
  const packed = Buffer.alloc(longest);
  const text = Buffer.alloc(2 * longest + HEAD);
  const words = new DataView(text.buffer, text.byteOffset, text.length);

  return (stored: string): string | undefined => {
    const end = packed.write(stored, 'latin1');
    if (end < stored.length) return undefined;
    let to = 0;
    for (let at = 1; at < end; at += 1) {
      const byte = packed[at] as number;
      if (byte >= FIRST_PRINTABLE) {
        text[to] = byte;
        to += 1;
      } else {
        const phrase = phrases[byte] ?? phrases[(byte << 8) | (packed[(at += 1)] as number)];
        if (phrase === undefined || to + phrase.length > longest) return undefined;
        for (let n = 0; n < phrase.words.length; n += 1) words.setInt32(to + n * HEAD, phrase.words[n] as number, true);
        to += phrase.length;
      }
    }
    return text.toString('latin1', 0, to);
  };
}
