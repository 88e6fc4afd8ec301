const [QUOTE, BACKSLASH, PLUS, MINUS, POINT, ZERO, NINE, LARGE_E, SMALL_E] = [0x22, 0x5c, 0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65];
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A number of at most this many characters is never long. */
const SHORT = 15;
const KEY_END = /\s*:/y;

/** First character of a string that stands for a number. A string of the text that begins with it gets a second one. JSON can hold it only as this escape. */
const MARK = '\0';
const ESCAPE = '\\u0000';

/**
 * Replaces every number for which `isLong` is true by a string, so that `JSON.parse` keeps its digits. (A reviver costs a microsecond a
 * value.) Invalid JSON stays invalid.
 */
export function quoteLongNumbers(text: string, isLong: (number: string) => boolean): string {
  let quoted = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (code === QUOTE) {
      end = endOfString(text, at);
      if (text.startsWith(ESCAPE, at + 1) && !isKey(text, end)) {
        quoted += `${text.slice(from, at)}"${ESCAPE}`;
        from = at + 1;
      }
    } else if (code === MINUS || isDigit(code)) {
      end = endOfNumber(text, at);
      const token = text.slice(at, end);
      if (token.length > SHORT && isLong(token) && NUMBER.test(token) && !isKey(text, end)) {
        quoted += `${text.slice(from, at)}"${ESCAPE}${token}"`;
        from = end;
      }
    }
    at = end;
  }
  return from === 0 ? text : quoted + text.slice(from);
}

/** Replaces in the parsed value every string that stands for a number by `make(number)`, in place. */
export function unquoteLongNumbers(value: unknown, make: (number: string) => unknown): unknown {
  if (typeof value === 'string' && value.startsWith(MARK)) return value[1] === MARK ? value.slice(1) : make(value.slice(1));
  if (typeof value !== 'object' || value === null) return value;
  const values = value as Record<string, unknown>;
  for (const key of Object.keys(values)) {
    const before = values[key];
    const after = unquoteLongNumbers(before, make);
    if (after !== before) values[key] = after; // `__proto__` is a field of its own here, and stays so
  }
  return value;
}

function endOfString(text: string, at: number): number {
  for (let end = at + 1; ;) {
    const quote = text.indexOf('"', end);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    end = quote + 1;
  }
}

function endOfNumber(text: string, at: number): number {
  let end = at + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === POINT || code === MINUS || code === PLUS || code === SMALL_E || code === LARGE_E;

function isKey(text: string, end: number): boolean {
  KEY_END.lastIndex = end;
  return KEY_END.test(text);
}
