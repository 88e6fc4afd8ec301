/** What may follow at a place of a JSON text. `first …`: the closing bracket may, too. */
type Wanted = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'next';

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Where a text stops being JSON (RFC 8259): the index of the first character that cannot stand there, its length where it ends too early; undefined for
 * JSON. Linear and without recursion. V8's own messages name the place of some errors only, and quote the text.
 */
export function jsonErrorAt(text: string): number | undefined {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  for (let at = after(SPACE, text, 0) as number; ; at = after(SPACE, text, at) as number) {
    const char = text.charAt(at);
    if (wanted === 'next' && open.length === 0) return at === text.length ? undefined : at;
    const closes = (char === '}' && open.at(-1) === '{') || (char === ']' && open.at(-1) === '[');
    if (closes && (wanted === 'next' || wanted.startsWith('first'))) {
      open.pop();
      wanted = 'next';
      at += 1;
    } else if (wanted === 'next' || wanted === 'colon') {
      if (char !== (wanted === 'colon' ? ':' : ',')) return at;
      wanted = wanted === 'colon' || open.at(-1) === '[' ? 'value' : 'name';
      at += 1;
    } else if (char === '"') {
      const [end, isWhole] = endOfString(text, at);
      if (!isWhole) return end;
      wanted = wanted.endsWith('name') ? 'colon' : 'next';
      at = end;
    } else if (wanted.endsWith('name')) return at;
    else if (char === '{' || char === '[') {
      open.push(char);
      wanted = char === '{' ? 'first name' : 'first value';
      at += 1;
    } else {
      const end = after(SCALAR, text, at);
      if (end === undefined) return at;
      wanted = 'next';
      at = end;
    }
  }
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The index after the string that begins at `at`, or of what cannot stand in it. */
function endOfString(text: string, at: number): [end: number, isWhole: boolean] {
  for (let n = at + 1; n < text.length; n += 1) {
    const code = text.charCodeAt(n);
    if (code === 0x22) return [n + 1, true];
    if (code < 0x20) return [n, false];
    if (code !== 0x5c) continue;
    const end = after(ESCAPE, text, n);
    if (end === undefined) return [n, false];
    n = end - 1;
  }
  return [text.length, false];
}

const NO_VALUES = ['NaN', 'Infinity', '-Infinity', 'undefined', 'None', 'True', 'False'];
/** Of `a=1&b=2`. */
const FORM = /^[\w.%+[\]-]{1,100}=/;

/** What is wrong with a text that is no JSON, in words that lead on. Nothing of the text is repeated but such a word. */
export function whyNoJson(text: string): string {
  const start = text.trimStart();
  if (start.startsWith('<')) return 'it begins like XML or HTML';
  if (FORM.test(start)) return 'it looks like a form (name=value)';
  const at = jsonErrorAt(text);
  if (at === undefined) return 'it is nested too deep';
  if (at === text.length) return 'it ends too early';
  const place = positionOf(text, at);
  const word = NO_VALUES.find((value) => text.startsWith(value, at));
  if (word) return `${word} is no value of JSON, ${place}`;
  if (text.charAt(at) === "'") return `names and texts stand in double quotes, ${place}`;
  if (/[}\]]/.test(text.charAt(at)) && /,[ \t\n\r]*$/.test(text.slice(Math.max(0, at - 100), at)))
    return `a comma stands before the bracket, ${place}`;
  return `see ${place}`;
}

function positionOf(text: string, at: number): string {
  let [line, start] = [1, 0];
  for (let n = text.indexOf('\n'); n >= 0 && n < at; n = text.indexOf('\n', n + 1)) [line, start] = [line + 1, n + 1];
  return `position ${at} (line ${line}, column ${at - start + 1})`;
}
