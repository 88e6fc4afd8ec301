import { createHash } from 'node:crypto';
import { canonical, element } from './element.ts';
import type { Signed } from '../signing/signer.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** What is signed of a canonical element, and the element with its signature as its last child. */
export interface Enveloped {
  text: string;
  signedWith(signed: Signed): string;
}

/**
 * An enveloped XML signature (https://www.w3.org/TR/xmldsig-core1/) of a canonical element by its attribute `Id`: RSA-SHA256, SHA-256, exclusive
 * canonicalization, with the certificate. The element is canonical as it is written, so that nothing is parsed to be signed.
 */
export function enveloped(canonicalElement: string, id: string): Enveloped {
  const digest = createHash('sha256').update(canonicalElement).digest('base64');
  const transforms = [`${DSIG}enveloped-signature`, EXCLUSIVE].map((Algorithm) => element('Transform', { Algorithm }));
  const reference = element('Reference', { URI: `#${id}` }, [
    element('Transforms', {}, transforms),
    element('DigestMethod', { Algorithm: 'http://www.w3.org/2001/04/xmlenc#sha256' }),
    element('DigestValue', {}, [digest]),
  ]);
  const signedInfo = element('SignedInfo', { xmlns: DSIG }, [
    element('CanonicalizationMethod', { Algorithm: EXCLUSIVE }),
    element('SignatureMethod', { Algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256' }),
    reference,
  ]);
  return {
    text: canonical(signedInfo),
    signedWith({ signature, certificate }) {
      const data = element('X509Data', {}, [element('X509Certificate', {}, [certificate])]);
      const whole = element('Signature', { xmlns: DSIG }, [
        { ...signedInfo, attributes: {} },
        element('SignatureValue', {}, [signature.toString('base64')]),
        element('KeyInfo', {}, [data]),
      ]);
      const end = canonicalElement.lastIndexOf('</');
      return canonicalElement.slice(0, end) + canonical(whole) + canonicalElement.slice(end);
    },
  };
}
