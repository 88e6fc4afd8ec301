import { X509Certificate } from 'node:crypto';
import { XMLSerializer, type Element as DomElement } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { childOf, childrenOf, parseXml, textOf } from './parse.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
/** Of certificates in one signature. */
const MOST_CERTIFICATES = 4;

export interface Trust {
  /** Certificates of those who may have issued the signer's, in PEM. */
  anchors: readonly string[];
  /** The signer's common name. */
  signer: string;
}

/**
 * The element that an enveloped signature covers, as it was signed: what is read of a message is read of this. Undefined where the signature, its algorithms, its
 * certificate or the reference are not as they should be: exactly one reference, to the element's own `Id`.
 * @param at when it was signed (milliseconds since 1970): the certificates were valid then
 */
export function verifiedElement(element: DomElement, id: string, trust: Trust, at: number): DomElement | undefined {
  const signature = childOf(element, DSIG, 'Signature');
  if (!signature || element.getAttribute('Id') !== id) return undefined;
  const certificates = certificatesOf(signature);
  const [leaf] = certificates;
  if (!leaf || !isTrusted(certificates, trust, at) || !hasOnly(signature, `#${id}`)) return undefined;
  const text = new XMLSerializer().serializeToString(element);
  const signed = new SignedXml({ publicCert: leaf.toString(), getCertFromKeyInfo: () => null });
  signed.loadSignature(new XMLSerializer().serializeToString(signature));
  if (!signed.checkSignature(text)) return undefined;
  const [covered, ...more] = signed.getSignedReferences();
  if (covered === undefined || more.length > 0) return undefined;
  const root = parseXml(covered);
  return root.getAttribute('Id') === id && root.localName === element.localName ? root : undefined;
}

/** The algorithms that the authorities prescribe, and one reference: a library that knows others would take what they forbid. */
function hasOnly(signature: DomElement, uri: string): boolean {
  const info = childOf(signature, DSIG, 'SignedInfo');
  const algorithm = (name: string, of = info): string | null | undefined => childOf(of, DSIG, name)?.getAttribute('Algorithm');
  const reference = childOf(info, DSIG, 'Reference');
  const transforms = childOf(reference, DSIG, 'Transforms');
  const named = transforms ? childrenOf(transforms).map((one) => one.getAttribute('Algorithm')) : [];
  return (
    algorithm('SignatureMethod') === RSA_SHA256 &&
    algorithm('CanonicalizationMethod') === EXCLUSIVE &&
    algorithm('DigestMethod', reference) === SHA256 &&
    reference?.getAttribute('URI') === uri &&
    named.join(' ') === `${DSIG}enveloped-signature ${EXCLUSIVE}`
  );
}

function certificatesOf(signature: DomElement): X509Certificate[] {
  const data = childOf(childOf(signature, DSIG, 'KeyInfo'), DSIG, 'X509Data');
  const texts = data ? childrenOf(data).filter(({ localName }) => localName === 'X509Certificate') : [];
  if (texts.length > MOST_CERTIFICATES) return [];
  return texts.map((one) => new X509Certificate(Buffer.from(textOf(one), 'base64')));
}

/** Whether the first certificate is the signer's, and each is issued by the next one and the last by an anchor, all valid at that time. */
function isTrusted(certificates: readonly X509Certificate[], { anchors, signer }: Trust, at: number): boolean {
  const [leaf] = certificates;
  if (!leaf || !leaf.subject.split('\n').includes(`CN=${signer}`) || leaf.ca) return false;
  if (!certificates.every((one) => isValid(one, at))) return false;
  const links = certificates.slice(0, -1).every((one, n) => isIssuedBy(one, certificates[n + 1] as X509Certificate));
  const last = certificates.at(-1) as X509Certificate;
  return links && anchors.map((pem) => new X509Certificate(pem)).some((anchor) => isValid(anchor, at) && isIssuedBy(last, anchor));
}

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);
const isValid = ({ validFromDate, validToDate }: X509Certificate, at: number): boolean =>
  validFromDate.getTime() <= at && at <= validToDate.getTime();
