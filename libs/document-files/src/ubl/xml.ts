import XMLBuilder from 'fast-xml-builder';

/** An element's content: text, attributes (`@name`) beside `#text`, or child elements in the order of the schema. What is undefined is omitted. */
export type Node = string | undefined | { [name: string]: Node | Node[] };

/** What XML 1.0 cannot hold, also not escaped. */
const INVALID = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  tagValueProcessor: (_, value) => (typeof value === 'string' ? value.replace(INVALID, '\uFFFD') : value),
});

export const xmlOf = (root: { [name: string]: Node }): string => `<?xml version="1.0" encoding="UTF-8"?>${builder.build(root)}`;

/** undefined where every part is: an element without content is not written. */
export const withParts = (parts: { [name: string]: Node | Node[] }): Node =>
  Object.values(parts).some((part) => part !== undefined) ? parts : undefined;

/** The element where there is a text in it. */
export const textOf = (text: string | null | undefined): string | undefined => text || undefined;
