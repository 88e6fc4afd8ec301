import { createHash, sign, verify, type KeyObject } from 'node:crypto';
import { DOMParser, type Element as DomElement } from '@xmldom/xmldom';
import { ExclusiveCanonicalization } from 'xml-crypto';
import type { Element } from './element.ts';

const DS = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = `${DS}enveloped-signature`;
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** What is wrong with a signature, in the order in which it is looked at. */
export type SignatureFlaw =
  | 'missing'
  | 'several'
  | 'incomplete'
  | 'canonicalization'
  | 'method'
  | 'reference'
  | 'transforms'
  | 'digest method'
  | 'several keys'
  | 'no certificate'
  | 'digest'
  | 'value';

export interface FoundSignature {
  node: Element;
  signedInfo: Element;
  digest: Buffer;
  value: Buffer;
  /** DER of the certificate in it. */
  certificate: Buffer;
}

/** The exclusive canonical form of an element, without comments. */
export const canonical = (node: DomElement): string => new ExclusiveCanonicalization().process(node as never, {}).toString();

/** Finds the enveloped signature of an element by exactly the published algorithms: exclusive canonicalization, RSA-SHA256, SHA-256. */
export function findSignature(element: Element, id: string): FoundSignature | SignatureFlaw {
  const [node, second] = element.children.filter(({ name, namespace }) => name === 'Signature' && namespace === DS);
  if (!node) return 'missing';
  if (second) return 'several';
  const [signedInfo, value] = [one(node, 'SignedInfo'), one(node, 'SignatureValue')];
  const reference = signedInfo && one(signedInfo, 'Reference');
  const digest = reference && one(reference, 'DigestValue');
  if (!signedInfo || !value || !reference || !digest) return 'incomplete';
  if (algorithmOf(signedInfo, 'CanonicalizationMethod') !== EXCLUSIVE) return 'canonicalization';
  if (algorithmOf(signedInfo, 'SignatureMethod') !== RSA_SHA256) return 'method';
  if (reference.attributes.get('URI') !== `#${id}` || element.attributes.get('Id') !== id) return 'reference';
  const transforms = one(reference, 'Transforms')?.children ?? [];
  const [first, last] = transforms.map(({ attributes }) => attributes.get('Algorithm'));
  if (transforms.length !== 2 || first !== ENVELOPED || last !== EXCLUSIVE || transforms.some(({ children }) => children.length > 0))
    return 'transforms';
  if (algorithmOf(reference, 'DigestMethod') !== SHA256) return 'digest method';
  const keys = node.children.filter(({ name }) => name === 'KeyInfo');
  if (keys.length > 1) return 'several keys';
  const data = keys[0] && one(keys[0], 'X509Data');
  const certificate = data && one(data, 'X509Certificate');
  if (!certificate) return 'no certificate';
  return { node, signedInfo, digest: bytesOf(digest), value: bytesOf(value), certificate: bytesOf(certificate) };
}

/** Whether the signature is that of the element by the key. Takes the signature out of the element's document. */
export function signatureFlawOf(
  element: Element,
  { node, signedInfo, digest, value }: FoundSignature,
  key: KeyObject,
): 'digest' | 'value' | undefined {
  const info = canonical(signedInfo.node);
  node.node.parentNode?.removeChild(node.node);
  if (!createHash('sha256').update(canonical(element.node)).digest().equals(digest)) return 'digest';
  return verify('sha256', Buffer.from(info), key, value) ? undefined : 'value';
}

/** Signs an element, which is given as a text with its end tag last and the attribute `Id`. `certificate`: PEM. */
export function signed(xml: string, id: string, { key, certificate }: { key: KeyObject; certificate: string }): string {
  const digest = createHash('sha256')
    .update(canonical(rootOf(xml)))
    .digest('base64');
  const info = `<SignedInfo xmlns="${DS}"><CanonicalizationMethod Algorithm="${EXCLUSIVE}"/><SignatureMethod Algorithm="${RSA_SHA256}"/><Reference URI="#${id}"><Transforms><Transform Algorithm="${ENVELOPED}"/><Transform Algorithm="${EXCLUSIVE}"/></Transforms><DigestMethod Algorithm="${SHA256}"/><DigestValue>${digest}</DigestValue></Reference></SignedInfo>`;
  const value = sign('sha256', Buffer.from(canonical(rootOf(info))), key).toString('base64');
  const der = certificate.replace(/-----[^-]+-----|\s/g, '');
  const signature = `<Signature xmlns="${DS}">${info.replace(` xmlns="${DS}"`, '')}<SignatureValue>${value}</SignatureValue><KeyInfo><X509Data><X509Certificate>${der}</X509Certificate></X509Data></KeyInfo></Signature>`;
  const end = xml.lastIndexOf('</');
  return xml.slice(0, end) + signature + xml.slice(end);
}

function rootOf(xml: string): DomElement {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new Error('there is no element to sign');
  return root;
}

const one = (element: Element, name: string): Element | undefined => {
  const [found, second] = element.children.filter((child) => child.name === name && child.namespace === DS);
  return second ? undefined : found;
};
const algorithmOf = (element: Element, name: string): string | undefined => one(element, name)?.attributes.get('Algorithm');
const bytesOf = ({ text }: Element): Buffer => Buffer.from(text.replace(/\s/g, ''), 'base64');
