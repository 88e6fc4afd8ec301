import { DOMParser, type Element as DomElement, type Node } from '@xmldom/xmldom';

/** A text that is no well-formed XML, or has a document type, which no message of an authority has. */
class NotXml extends Error {}

/** The root of a message. Nothing outside of it is read. */
export function parseXml(text: string): DomElement {
  if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY')) throw new NotXml('it has a document type');
  let problem: string | undefined;
  try {
    // It warns of U+FFFD, which is allowed.
    const onError = (_level: string, message: string): void => {
      if (!message.includes('Unicode replacement character')) problem ??= message;
    };
    const parser = new DOMParser({ onError });
    const root = parser.parseFromString(text, 'text/xml').documentElement;
    if (root && problem === undefined) return root;
  } catch (error) {
    problem ??= error instanceof Error ? error.message : String(error);
  }
  throw new NotXml(problem ?? 'it has no element');
}

const isElement = (node: Node): node is DomElement => node.nodeType === 1;

export const childrenOf = (parent: DomElement): DomElement[] => Array.from(parent.childNodes).filter(isElement);

/** The only child of this name in this namespace; undefined where there is none, or more than one. */
export function childOf(parent: DomElement | undefined, namespace: string | null, name: string): DomElement | undefined {
  const found = parent ? childrenOf(parent).filter((one) => one.localName === name && (one.namespaceURI ?? null) === namespace) : [];
  return found.length === 1 ? found[0] : undefined;
}

export const textOf = (element: DomElement | undefined): string => element?.textContent?.trim() ?? '';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

/** The one element in the body of a SOAP 1.1 message. */
export function soapBody(root: DomElement): DomElement | undefined {
  const body = root.localName === 'Envelope' && root.namespaceURI === SOAP ? childOf(root, SOAP, 'Body') : undefined;
  const elements = body ? childrenOf(body) : [];
  return elements.length === 1 ? elements[0] : undefined;
}

export const faultIn = (body: DomElement | undefined): DomElement | undefined =>
  body?.localName === 'Fault' && body.namespaceURI === SOAP ? body : undefined;
