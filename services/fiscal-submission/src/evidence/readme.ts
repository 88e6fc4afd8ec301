import { registrationOf, type Dossier } from './dossier.ts';

/** What is in a bundle, and how to check it without its own program. */
export function readmeOf({ state }: Dossier): string {
  const registration = registrationOf(state);
  const outcome = registration
    ? `registered under ${registration.code} at ${registration.registered_at}${state.status === 'cancelled' ? `, cancelled at ${state.cancelled_at}` : ''}`
    : `not registered (${state.status})`;
  return `Evidence of the submission of ${state.number} to ${state.authority}: ${outcome}.

manifest.json       what follows as data: attempts, records, who entered an outcome by hand and why, SHA-256 and size of each file
attempts/           the exact bytes of each request and of each answer, in order; a request without a body is its URL
records/            the record of each round as it was prepared before the first call; in a chain also the record before it
certificates/       those that stand in the messages, in PEM: of the issuer in requests, of the authority in answers
qr.svg              the QR code of the document: the address at which anybody can check it
verify.mjs          checks all of it: node verify.mjs   (Node 18 or later; verify-xml.mjs and verify-zip.mjs belong to it)

The same checks by other programs, in the folder where this was unpacked:

Hashes of the files, and of each attempt as it was stored when it was made (request.sha256, response.sha256):
  sha256sum attempts/* records/*

The signature of a signed message (Albania, Montenegro). The Id of the signed element is Request or Response:
  xmlsec1 --verify --enabled-key-data x509 --insecure --id-attr:Id RegisterInvoiceRequest attempts/0001-submit-request.xml
Whose certificate it is, and who issued it:
  openssl x509 -noout -subject -issuer -dates -in certificates/1.pem
Whether that issuer is the authority's, with the certificates that the authority publishes:
  openssl verify -CAfile authority-ca.pem certificates/1.pem

The issuer's code (Albania, Montenegro) is the MD5 of the signature that the record states as IICSignature:
  grep -o 'IICSignature="[^"]*"' records/round-1.xml | cut -d'"' -f2 | xxd -r -p > iic.sig; openssl md5 iic.sig
That signature is over seller's number, time, ordinal, unit, till, software and total, joined by | as verify.mjs prints them:
  openssl x509 -pubkey -noout -in certificates/1.pem > key.pem; printf '%s' 'TEXT' | openssl dgst -sha256 -verify key.pem -signature iic.sig

The huella of a Spanish record is the SHA-256 of its fields, which the hash document of the AEAT names; the record states that of the one before it.

What is not in it: TLS, headers, and, of a sandbox document, the signature of an answer, which is a header. It proves what was sent and answered, and by whom it
was signed; that the authority has it, the address in qr.svg shows.
`;
}
