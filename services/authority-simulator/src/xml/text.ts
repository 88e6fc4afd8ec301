import type { Element } from './element.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as content or value of an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** `<name>text</name>`; nothing where the text is undefined. */
export const tag = (name: string, content: string | undefined): string =>
  content === undefined ? '' : `<${name}>${escaped(content)}</${name}>`;

/** An element with all in it as text, without attributes; `prefixOf` names the prefix of each by its name and depth. */
export function copied(element: Element, prefixOf: (name: string, depth: number) => string, depth = 0): string {
  const name = `${prefixOf(element.name, depth)}:${element.name}`;
  const content =
    element.children.length > 0 ? element.children.map((child) => copied(child, prefixOf, depth + 1)).join('') : escaped(element.text);
  return `<${name}>${content}</${name}>`;
}
