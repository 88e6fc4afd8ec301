import type { Decimals } from '@svc/contracts/route-decimals';
import { decimal, toText } from '@svc/kernel';

const [QUOTE, BACKSLASH, COMMA, PLUS, MINUS, POINT] = [0x22, 0x5c, 0x2c, 0x2b, 0x2d, 0x2e];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const NOTHING = Buffer.alloc(0);

/** An object or list that is open. */
interface Open {
  isObject: boolean;
  /** The member that holds it; for what is in a list, the member that is the list; '' outside of all. */
  name: string;
  /** Its members that are decimals. */
  decimals: ReadonlySet<string> | undefined;
}
const outside: Open = { isObject: false, name: '', decimals: undefined };

/**
 * Puts the decimals of a JSON text in quotes as it passes, in pieces of any size. Their digits stay; an exponent becomes zeros, since what is sent as text may
 * have none. The text must be valid JSON. Linear in its length; holds the open objects, and a name or a number that a piece cuts.
 */
export function amountsAsText(decimals: Decimals): (piece: Buffer) => Buffer {
  const around: Open[] = [];
  let holder = outside;
  let name = '';
  let isName = false;
  let isInText = false;
  let isEscaped = false;
  let cut: Buffer = NOTHING;

  /** The index behind a text that begins before `at`, or of the end of the piece, behind which it goes on. */
  function pastText(bytes: Buffer, at: number): number {
    for (let next = at; next < bytes.length; next += 1) {
      if (isEscaped) isEscaped = false;
      else if (bytes[next] === BACKSLASH) isEscaped = true;
      else if (bytes[next] === QUOTE) {
        isInText = false;
        return next + 1;
      }
    }
    isInText = true;
    return bytes.length;
  }

  function structure(byte: number): void {
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_LIST: {
        const of = holder.isObject ? name : holder.name;
        around.push(holder);
        isName = byte === OPEN_OBJECT;
        holder = { isObject: isName, name: of, decimals: isName ? decimals.get(of) : undefined };
        break;
      }
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        holder = around.pop() ?? outside;
        isName = false;
        break;
      case COMMA:
        isName = holder.isObject;
    }
  }

  return (piece) => {
    const bytes = cut.length === 0 ? piece : Buffer.concat([cut, piece]);
    const found: Found[] = [];
    let at = isInText ? pastText(bytes, 0) : 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (byte === QUOTE && isName) {
        const past = pastName(bytes, at + 1);
        if (past === undefined) break;
        name = nameIn(bytes, at, past);
        isName = false;
        at = past;
      } else if (byte === QUOTE) at = pastText(bytes, at + 1);
      else if (isDigit(byte) || byte === MINUS) {
        const past = pastNumber(bytes, at + 1);
        if (holder.decimals?.has(name)) {
          if (past === bytes.length) break;
          found.push(foundAt(bytes, at, past));
        }
        at = past;
      } else {
        structure(byte);
        at += 1;
      }
    }
    cut = bytes.subarray(at);
    return quoted(bytes.subarray(0, at), found);
  };
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isExponent = (byte: number): boolean => byte === 0x65 || byte === 0x45;
/** A digit, sign, point or exponent. */
const isOfNumber = (byte: number): boolean => isDigit(byte) || byte === MINUS || byte === PLUS || byte === POINT || isExponent(byte);

/** The index behind a number that begins before `at`, or the end of the piece. */
function pastNumber(bytes: Buffer, at: number): number {
  let past = at;
  while (past < bytes.length && isOfNumber(bytes[past] as number)) past += 1;
  return past;
}

/** The index behind a name that begins before `at`; undefined: it goes on behind the piece. */
function pastName(bytes: Buffer, at: number): number | undefined {
  for (let next = at; next < bytes.length; next += 1) {
    if (bytes[next] === BACKSLASH) next += 1;
    else if (bytes[next] === QUOTE) return next + 1;
  }
  return undefined;
}

function hasExponent(bytes: Buffer, from: number, past: number): boolean {
  for (let at = from; at < past; at += 1) if (isExponent(bytes[at] as number)) return true;
  return false;
}

/** A name from its quotes. What is not ASCII is not decoded: no decimal has such a name. */
function nameIn(bytes: Buffer, from: number, past: number): string {
  const text = bytes.toString('latin1', from + 1, past - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** A decimal: its bytes from `from` to before `past`, and its text where that differs from them. */
interface Found {
  from: number;
  past: number;
  plain: string | undefined;
}

const foundAt = (bytes: Buffer, from: number, past: number): Found => ({
  from,
  past,
  plain: hasExponent(bytes, from, past) ? toText(decimal(bytes.toString('latin1', from, past))) : undefined,
});

/** The bytes with these decimals in quotes. */
function quoted(bytes: Buffer, found: readonly Found[]): Buffer {
  if (found.length === 0) return bytes;
  const text = Buffer.allocUnsafe(found.reduce((size, one) => size + growth(one), bytes.length));
  let [at, to] = [0, 0];
  for (const { from, past, plain } of found) {
    // Byte by byte: most stretches are too short for a call.
    while (at < from) text[to++] = bytes[at++] as number;
    text[to++] = QUOTE;
    if (plain !== undefined) {
      to += text.write(plain, to, 'latin1');
      at = past;
    }
    while (at < past) text[to++] = bytes[at++] as number;
    text[to++] = QUOTE;
  }
  bytes.copy(text, to, at);
  return text;
}

const growth = ({ from, past, plain }: Found): number => 2 + (plain === undefined ? 0 : plain.length - (past - from));
