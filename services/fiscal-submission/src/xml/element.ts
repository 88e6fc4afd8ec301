/** An XML element of a message: JSON, so that it can be stored. Attributes that are undefined are not written. */
export interface Element {
  name: string;
  attributes?: Readonly<Record<string, string | undefined>>;
  children?: readonly (Element | string)[];
}

export const element = (
  name: string,
  attributes: Element['attributes'] = {},
  children: (Element | string | null | undefined | false)[] = [],
): Element => ({ name, attributes, children: children.filter((child) => child !== null && child !== undefined && child !== false) });

/**
 * The text of an element in the form of Exclusive XML Canonicalization 1.0 (https://www.w3.org/TR/xml-exc-c14n/), so that what is hashed and signed is what is
 * sent. That holds for elements with a prefix of at most one namespace each, which states its namespace in `xmlns` or `xmlns:<prefix>` where it begins, and for
 * attributes without a prefix.
 */
export function canonical({ name, attributes = {}, children = [] }: Element): string {
  const written = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const namespaces = written.filter(([key]) => isNamespace(key)).toSorted(byName);
  const others = written.filter(([key]) => !isNamespace(key)).toSorted(byName);
  const head = [...namespaces, ...others].map(([key, value]) => ` ${key}="${attributeText(value)}"`).join('');
  const body = children.map((child) => (typeof child === 'string' ? text(child) : canonical(child))).join('');
  return `<${name}${head}>${body}</${name}>`;
}

const isNamespace = (key: string): boolean => key === 'xmlns' || key.startsWith('xmlns:');
const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : a > b ? 1 : 0);

const escapes: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  ...{ '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
};
/** `characters` are those to escape, and what XML 1.0 cannot hold, also not escaped. */
const escaped = (value: string, characters: RegExp): string => value.replace(characters, (one) => escapes[one] ?? '\uFFFD');
const attributeText = (value: string): string => escaped(value, /[&<"\t\n\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu);
const text = (value: string): string => escaped(value, /[&<>\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu);

/** A SOAP 1.1 message around a body that is written already. */
export const soapEnvelope = (body: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">' +
  `<soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
