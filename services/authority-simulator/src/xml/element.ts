import { DOMParser, type Document, type Element as DomElement, type Node } from '@xmldom/xmldom';
import { boundsErrorOf, type Bounds } from './bounds.ts';

/** An element of a parsed document. */
export interface Element {
  namespace: string;
  name: string;
  /** By name; attributes of a namespace are named `{namespace}name`. Declarations of namespaces are not among them. */
  attributes: ReadonlyMap<string, string>;
  children: readonly Element[];
  /** All text in it, without that of its children. */
  text: string;
  /** The node of the document, for its canonical form. */
  node: DomElement;
}

/** What XML 1.0 does not allow, which the parser takes. */
const INVALID = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const XMLNS = 'http://www.w3.org/2000/xmlns/';

/** U+FFFD is allowed, of which the parser warns. */
function stop(_level: string, message: string): void {
  if (!message.includes('Unicode replacement character')) throw new Error(message);
}

/** Parses UTF-8. Returns a text that says what is wrong with bytes that are no document within the bounds. */
export function parseXml(bytes: Buffer, bounds: Bounds): Element | string {
  let xml: string;
  try {
    xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'the document is not UTF-8';
  }
  const error = boundsErrorOf(xml, bounds);
  if (error) return error;
  if (INVALID.test(xml)) return 'the document is malformed: a character is not allowed';
  try {
    const document: Document = new DOMParser({ onError: stop }).parseFromString(xml, 'text/xml');
    return document.documentElement ? elementOf(document.documentElement) : 'the document is empty';
  } catch (thrown) {
    return `the document is malformed: ${(thrown as Error).message.split('\n')[0]}`;
  }
}

function elementOf(node: DomElement): Element {
  const children: Element[] = [];
  let text = '';
  for (let child: Node | null = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 1) children.push(elementOf(child as DomElement));
    else if (child.nodeType === 3 || child.nodeType === 4) text += child.nodeValue ?? '';
  }
  const attributes = new Map<string, string>();
  for (const { namespaceURI, localName, value, name } of node.attributes)
    if (namespaceURI !== XMLNS) attributes.set(namespaceURI ? `{${namespaceURI}}${localName ?? name}` : (localName ?? name), value);
  return { namespace: node.namespaceURI ?? '', name: node.localName ?? node.nodeName, attributes, children, text, node };
}

/** The children of the name. */
export const all = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** The first element at the path of names: `SistemaInformatico/NIF`. */
export const at = (element: Element | undefined, path: string): Element | undefined =>
  path.split('/').reduce<Element | undefined>((found, name) => found?.children.find((child) => child.name === name), element);

/** The text at the path, without white space around it; undefined where there is no such element. */
export const textAt = (element: Element | undefined, path: string): string | undefined => at(element, path)?.text.trim();
