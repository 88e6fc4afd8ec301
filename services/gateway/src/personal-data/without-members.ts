const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const NULL = Buffer.from('null');
const MOST_NAME = 64;

interface Open {
  isObject: boolean;
  /** The member that holds it; for what is in a list, the member that is the list. */
  name: string;
}

export interface Members {
  /** Of these the value becomes null. */
  names: ReadonlySet<string>;
  /** But not in objects that a member of this name holds. */
  except: string;
}

/**
 * Writes null for the values of members of these names as a JSON text passes, in pieces of any size. The text must be valid JSON. Linear in its length; holds the
 * open objects and one name.
 */
export function withoutMembers({ names, except }: Members): (piece: Buffer) => Buffer {
  const around: Open[] = [];
  let holder: Open = { isObject: false, name: '' };
  let [name, isName, isInText, isEscaped, textIsName] = ['', false, false, false, false];
  let letters: number[] = [];
  /** Depth of the value that is omitted, counted from 1; 0: none is. */
  let skipped = 0;
  /** The value of a member that is omitted begins with the next byte that is no space. */
  let isNext = false;

  return (piece) => {
    const out = Buffer.allocUnsafe(piece.length + NULL.length * (countOf(piece, COLON) + 1));
    let to = 0;
    const put = (byte: number): void => {
      if (skipped === 0) out[to++] = byte;
    };
    for (const byte of piece) {
      if (isInText) {
        put(byte);
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInText = false;
          if (textIsName) name = nameOf(letters);
          else if (skipped === 1) skipped = 0;
          continue;
        }
        if (textIsName && letters.length <= MOST_NAME) letters.push(byte);
        continue;
      }
      if (isNext && byte > 0x20) {
        isNext = false;
        skipped = 1;
        to += NULL.copy(out, to);
        if (byte === QUOTE) {
          [isInText, textIsName] = [true, false];
          continue;
        }
        if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          skipped = 2;
          continue;
        }
        continue;
      }
      if (skipped > 0) {
        if (byte === QUOTE) [isInText, textIsName] = [true, false];
        else if (skipped === 1) {
          // A number or word ends where something of the structure begins.
          if (byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST) continue;
          skipped = 0;
        } else {
          if (byte === OPEN_OBJECT || byte === OPEN_LIST) skipped += 1;
          else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
            skipped -= 1;
            if (skipped === 1) skipped = 0;
          }
          continue;
        }
        if (isInText) continue;
      }
      put(byte);
      switch (byte) {
        case QUOTE:
          [isInText, textIsName, letters] = [true, isName, []];
          isName = false;
          break;
        case COLON:
          isNext = holder.isObject && holder.name !== except && names.has(name);
          break;
        case OPEN_OBJECT:
        case OPEN_LIST: {
          const of = holder.isObject ? name : holder.name;
          around.push(holder);
          isName = byte === OPEN_OBJECT;
          holder = { isObject: isName, name: of };
          break;
        }
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          holder = around.pop() ?? { isObject: false, name: '' };
          isName = false;
          break;
        case COMMA:
          isName = holder.isObject;
      }
    }
    return out.subarray(0, to);
  };
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (const one of bytes) if (one === byte) count += 1;
  return count;
}

/** A name that has an escaped letter in it is compared as it is meant. */
function nameOf(letters: readonly number[]): string {
  const text = Buffer.from(letters).toString('utf8');
  return text.includes('\\') && letters.length <= MOST_NAME ? (JSON.parse(`"${text}"`) as string) : text;
}
