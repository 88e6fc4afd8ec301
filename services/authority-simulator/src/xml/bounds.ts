/** Most of each in one document. */
export interface Bounds {
  /** Elements inside each other. */
  depth: number;
  elements: number;
  /** Characters of one tag. */
  tag: number;
}

/** Most attributes of one element. The largest published element has 30. */
const MOST_ATTRIBUTES = 64;

const NAME = String.raw`[^\s<>/"'=!?]+`;
const TAG = new RegExp(String.raw`<(/?)${NAME}((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')){0,${MOST_ATTRIBUTES}})\s*(/?)>`, 'y');
const DECLARATION = /<\?xml\s[^?<>]{0,100}\?>/y;

/** What `XML` must not have, found in one pass before it is parsed: declarations of types and entities, instructions, more than the bounds allow. */
export function boundsErrorOf(xml: string, bounds: Bounds): string | undefined {
  let [depth, elements] = [0, 0];
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const skipped = endOfMarkup(xml, at);
    if (typeof skipped === 'string') return skipped;
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const tag = tagAt(xml, at, bounds.tag);
    if (!tag) return 'a tag is malformed or too long';
    at = tag.end;
    if (tag.closes) depth -= 1;
    else if ((elements += 1) > bounds.elements) return 'there are too many elements';
    else if (!tag.isEmpty && (depth += 1) > bounds.depth) return 'elements are nested too deep';
  }
  return undefined;
}

/** The end of a comment, a CDATA section or the declaration; a text for what is refused; undefined at a tag. */
function endOfMarkup(xml: string, at: number): number | string | undefined {
  if (xml.startsWith('<!--', at)) return after(xml, '-->', at + 4);
  if (xml.startsWith('<![CDATA[', at)) return after(xml, ']]>', at + 9);
  if (xml.startsWith('<!', at)) return 'declarations of types and entities are refused';
  if (!xml.startsWith('<?', at)) return undefined;
  DECLARATION.lastIndex = at;
  return at === 0 && DECLARATION.test(xml) ? DECLARATION.lastIndex : 'processing instructions are refused';
}

function after(xml: string, end: string, from: number): number | string {
  const found = xml.indexOf(end, from);
  return found < 0 ? 'a comment or section does not end' : found + end.length;
}

function tagAt(xml: string, at: number, longest: number): { end: number; closes: boolean; isEmpty: boolean } | undefined {
  TAG.lastIndex = at;
  const [text = '', closing, , empty] = TAG.exec(xml) ?? [];
  return text === '' || text.length > longest ? undefined : { end: at + text.length, closes: closing !== '', isEmpty: empty !== '' };
}
