import { Transform } from 'node:stream';

const [QUOTE, BACKSLASH, COMMA, MINUS] = [0x22, 0x5c, 0x2c, 0x2d];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const QUOTED = Buffer.from('"');
/** Bytes. No name of a decimal is longer, and what callers name in their metadata may be. */
const LONGEST_NAME = 64;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** A digit, or what stands within a number: sign, point, exponent. */
const isOfNumber = (byte: number): boolean => isDigit(byte) || byte === MINUS || byte === 0x2b || byte === 0x2e || (byte | 0x20) === 0x65;

/** An object or list that is open. */
interface Open {
  isObject: boolean;
  /** The member that holds it; for what is in a list, the member that is the list; '' outside of all. */
  name: string;
}

/**
 * Puts these decimals of a JSON text in quotes as it passes, in pieces of any size: the digits stay as they are. `decimals`: as of `decimalsIn`. The text must be
 * valid JSON. Linear in its length; holds a name and the open objects.
 */
export function amountsAsText(decimals: ReadonlySet<string>): (piece: Buffer) => Buffer {
  const open: Open[] = [];
  let name = '';
  let isName = false;
  let inString = false;
  let isEscaped = false;
  let number: 'none' | 'plain' | 'quoted' = 'none';

  const holder = (): Open | undefined => open.at(-1);
  const memberNow = (): string => (holder()?.isObject ? name : (holder()?.name ?? ''));
  const isDecimalNow = (): boolean => holder()?.isObject === true && decimals.has(`${holder()?.name}.${name}`);

  function inText(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) {
      inString = false;
      isName = false;
      return;
    }
    if (isName && name.length < LONGEST_NAME) name += String.fromCharCode(byte);
  }

  /** Outside of strings and numbers. */
  function structure(byte: number): void {
    switch (byte) {
      case QUOTE:
        inString = true;
        if (isName) name = '';
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        open.push({ isObject: byte === OPEN_OBJECT, name: memberNow() });
        isName = byte === OPEN_OBJECT;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        isName = false;
        break;
      case COMMA:
        isName = holder()?.isObject ?? false;
    }
  }

  return (piece) => {
    const parts: Buffer[] = [];
    let from = 0;
    const quoteAt = (at: number): void => {
      parts.push(piece.subarray(from, at), QUOTED);
      from = at;
    };
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (inString) {
        inText(byte);
        continue;
      }
      if (number !== 'none') {
        if (isOfNumber(byte)) continue;
        if (number === 'quoted') quoteAt(at);
        number = 'none';
      }
      if (isDigit(byte) || byte === MINUS) {
        number = isDecimalNow() ? 'quoted' : 'plain';
        if (number === 'quoted') quoteAt(at);
      } else structure(byte);
    }
    return parts.length === 0 ? piece : Buffer.concat([...parts, piece.subarray(from)]);
  };
}

/** The same as a stream. */
export function amountsAsTextStream(decimals: ReadonlySet<string>): Transform {
  const pass = amountsAsText(decimals);
  return new Transform({ transform: (piece: Buffer, _, done) => done(null, pass(piece)) });
}
