// Reads the XML of messages, writes it in the form of Exclusive XML Canonicalization 1.0 (https://www.w3.org/TR/xml-exc-c14n/) and verifies enveloped signatures
// (https://www.w3.org/TR/xmldsig-core1/) by it. Node 18 or later, without packages.
import { createHash, verify, X509Certificate } from 'node:crypto';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const XML = 'http://www.w3.org/XML/1998/namespace';

const TAG = /<([^\s/>"']+)((?:[^>"']|"[^"]*"|'[^']*')*)>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The root of a document without a document type. Throws for what is no such document.
 * An element: `{ name, attributes: [name, value][], scope: { [prefix]: namespace }, children: (element | text)[] }`.
 */
export function parseXml(source) {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const top = { children: /** @type {any[]} */ ([]), scope: { xml: XML } };
  const open = [top];
  let at = 0;
  const past = (mark) => {
    const found = text.indexOf(mark, at);
    if (found < 0) throw new Error(`the XML ends before ${mark}`);
    return found + mark.length;
  };
  while (at < text.length) {
    const parent = open[open.length - 1];
    if (text[at] !== '<') {
      const next = text.indexOf('<', at);
      const end = next < 0 ? text.length : next;
      if (parent !== top) parent.children.push(decoded(text.slice(at, end)));
      at = end;
    } else if (text.startsWith('<!--', at)) at = past('-->');
    else if (text.startsWith('<![CDATA[', at)) {
      const end = past(']]>');
      parent.children.push(text.slice(at + 9, end - 3));
      at = end;
    } else if (text.startsWith('<?xml ', at)) at = past('?>');
    else if (text.startsWith('</', at)) {
      const end = past('>');
      if (parent === top || text.slice(at + 2, end - 1).trim() !== parent.name) throw new Error('the XML is not well formed');
      open.pop();
      at = end;
    } else {
      TAG.lastIndex = at;
      const tag = TAG.exec(text);
      if (!tag || tag[1].startsWith('!') || tag[1].startsWith('?')) throw new Error('the XML holds what messages do not have');
      const element = elementOf(tag[1], tag[2], parent.scope);
      parent.children.push(element);
      if (!tag[2].endsWith('/')) open.push(element);
      at = TAG.lastIndex;
    }
  }
  if (open.length > 1 || top.children.length !== 1) throw new Error('the XML is not well formed');
  return top.children[0];
}

function elementOf(name, inside, inherited) {
  const attributes = [...inside.matchAll(ATTRIBUTE)].map(([, key, double, single]) => [
    key,
    decoded((double === undefined ? single : double).replace(/[\t\n]/g, ' ')),
  ]);
  const declared = attributes.filter(([key]) => isDeclaration(key)).map(([key, value]) => [key === 'xmlns' ? '' : key.slice(6), value]);
  return {
    name,
    attributes: attributes.filter(([key]) => !isDeclaration(key)),
    scope: { ...inherited, ...Object.fromEntries(declared) },
    children: [],
  };
}

const isDeclaration = (key) => key === 'xmlns' || key.startsWith('xmlns:');
const prefixOf = (name) => (name.includes(':') ? name.slice(0, name.indexOf(':')) : '');
export const localName = ({ name }) => name.slice(name.indexOf(':') + 1);
const namespaceOf = ({ name, scope }) => scope[prefixOf(name)] || '';

const decoded = (text) =>
  text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (_, one) => {
    if (one.startsWith('#')) return String.fromCodePoint(one[1] === 'x' ? parseInt(one.slice(2), 16) : Number(one.slice(1)));
    if (entities[one] === undefined) throw new Error(`the XML names the unknown entity ${one}`);
    return entities[one];
  });

export const elementsIn = ({ children }) => children.filter((child) => typeof child !== 'string');
export const textOf = (element) => element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
export const attributeOf = ({ attributes }, name) => (attributes.find(([key]) => key === name) || [])[1];
/** All elements of this name, from the root on. */
export const allNamed = (element, name) => [
  ...(localName(element) === name ? [element] : []),
  ...elementsIn(element).flatMap((child) => allNamed(child, name)),
];

/** `without`: a child that is not written, as the enveloped signature. */
export function canonical(element, without = undefined, rendered = {}) {
  const { name, attributes, scope, children } = element;
  const used = [prefixOf(name), ...attributes.map(([key]) => prefixOf(key)).filter((prefix) => prefix !== '')];
  const declared = [...new Set(used)].sort().filter((prefix) => prefix !== 'xml' && (rendered[prefix] || '') !== (scope[prefix] || ''));
  const now = { ...rendered, ...Object.fromEntries(declared.map((prefix) => [prefix, scope[prefix] || ''])) };
  const keyOf = (key) => [prefixOf(key) === '' ? '' : scope[prefixOf(key)] || '', key.slice(key.indexOf(':') + 1)].join('\n');
  const sorted = [...attributes].sort(([a], [b]) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const head = [...declared.map((prefix) => [prefix === '' ? 'xmlns' : `xmlns:${prefix}`, now[prefix]]), ...sorted]
    .map(([key, value]) => ` ${key}="${escaped(value, /[&<"\t\n\r]/g)}"`)
    .join('');
  const body = children
    .filter((child) => child !== without)
    .map((child) => (typeof child === 'string' ? escaped(child, /[&<>\r]/g) : canonical(child, without, now)))
    .join('');
  return `<${name}${head}>${body}</${name}>`;
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' };
const escaped = (value, characters) => value.replace(characters, (one) => escapes[one]);

/**
 * Every enveloped signature below the root, by the certificate that it names: who that certificate is of, and who issued it, is for the reader to judge.
 * @returns {{ of: string, subject: string, problem: string | null }[]}
 */
export function signaturesIn(root) {
  const own = elementsIn(root).filter((child) => localName(child) === 'Signature' && namespaceOf(child) === DSIG);
  const found = own.map((signature) => {
    const certificate = certificatesIn(signature)[0];
    const subject = certificate ? certificate.subject.replace(/\n/g, ', ') : 'a certificate that is not there';
    return { of: localName(root), subject, problem: certificate ? problemOf(root, signature, certificate) : 'it names no certificate' };
  });
  return [...found, ...elementsIn(root).flatMap(signaturesIn)];
}

export const certificatesIn = (element) =>
  allNamed(element, 'X509Certificate').map((one) => new X509Certificate(Buffer.from(textOf(one), 'base64')));

function problemOf(element, signature, { publicKey }) {
  const info = elementsIn(signature).filter((child) => localName(child) === 'SignedInfo')[0];
  if (!info) return 'it covers nothing';
  const references = allNamed(info, 'Reference');
  const algorithms = ['CanonicalizationMethod', 'SignatureMethod', 'DigestMethod', 'Transform'].flatMap((name) =>
    allNamed(info, name).map((one) => attributeOf(one, 'Algorithm')),
  );
  if (algorithms.join() !== [EXCLUSIVE, RSA_SHA256, SHA256, `${DSIG}enveloped-signature`, EXCLUSIVE].join())
    return 'its algorithms are others';
  if (references.length !== 1 || attributeOf(references[0], 'URI') !== `#${attributeOf(element, 'Id')}`) return 'it covers another element';
  const digest = createHash('sha256').update(canonical(element, signature)).digest('base64');
  if (digest !== valueIn(info, 'DigestValue')) return 'what it covers was changed';
  const value = Buffer.from(valueIn(signature, 'SignatureValue'), 'base64');
  return verify('sha256', Buffer.from(canonical(info)), publicKey, value) ? null : 'it is not by the key of its certificate';
}

const valueIn = (element, name) => allNamed(element, name).map(textOf).join('').replace(/\s/g, '');
