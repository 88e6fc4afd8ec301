import { DOMParser, XMLSerializer, type Document, type Element, type Node } from '@xmldom/xmldom';

/** Values that many types refuse, and some take. */
const VALUES = [
  '',
  'x',
  'S',
  'true',
  '0',
  '01',
  '-1.00',
  '1.234',
  '2026-02-30',
  '2026-02-28',
  '99-99-2026',
  '2026-02-28T10:00:00+01:00',
  'A'.repeat(600),
];

export interface Mutation {
  /** `I@Q = x` */
  what: string;
  xml: string;
}

/** A message with one change each: an attribute or element less, more, or with another value. `skipped` elements are left as they are. */
export function* mutationsOf(message: string, skipped: readonly string[]): Generator<Mutation> {
  const document = new DOMParser().parseFromString(message, 'text/xml');
  const body = document.getElementsByTagName('soapenv:Body')[0];
  const root = body && childrenOf(body)[0];
  if (!root) throw new Error('the message has no body');
  for (const element of elementsIn(root, skipped)) yield* changesOf(element, document, element !== root);
}

function* changesOf(element: Element, document: Document, isInner: boolean): Generator<Mutation> {
  const name = element.nodeName;
  const shown = (what: string): Mutation => ({ what: `${name}${what}`, xml: new XMLSerializer().serializeToString(document) });
  for (const { name: attribute, value } of [...element.attributes].filter((one) => !one.name.startsWith('xmlns'))) {
    for (const other of VALUES) {
      element.setAttribute(attribute, other);
      yield shown(`@${attribute} = ${other.slice(0, 30)}`);
    }
    element.removeAttribute(attribute);
    yield shown(`@${attribute} missing`);
    element.setAttribute(attribute, value);
  }
  element.setAttribute('Unknown', '1');
  yield shown('@Unknown');
  element.removeAttribute('Unknown');
  if (childrenOf(element).length === 0 && element.textContent !== '') {
    const text = element.textContent ?? '';
    for (const other of VALUES) {
      element.textContent = other;
      yield shown(` = ${other.slice(0, 30)}`);
    }
    element.textContent = text;
  }
  const parent = element.parentNode;
  if (!isInner || !parent) return;
  const next = element.nextSibling;
  const copy = parent.insertBefore(element.cloneNode(true), next);
  yield shown(' twice');
  parent.removeChild(copy);
  parent.removeChild(element);
  yield shown(' missing');
  const last = next ? parent.lastChild : parent.firstChild;
  parent.insertBefore(element, next ? null : last);
  yield shown(' elsewhere');
  parent.removeChild(element);
  parent.insertBefore(element, next);
}

const childrenOf = (node: Node): Element[] => [...(node.childNodes as Iterable<Node>)].filter((child) => child.nodeType === 1) as Element[];
const elementsIn = (element: Element, skipped: readonly string[]): Element[] =>
  skipped.includes(element.localName ?? '') ? [] : [element, ...childrenOf(element).flatMap((child) => elementsIn(child, skipped))];
