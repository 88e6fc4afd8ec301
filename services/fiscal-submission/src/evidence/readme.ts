import { registrationOf, type Dossier, type KeptRecord } from './dossier.ts';
import type { Parts } from './manifest.ts';

type Files = Pick<Parts, 'records' | 'attempts' | 'certificates'>;

/** What is in a bundle, and how to check it without its own program. */
export function readmeOf(dossier: Dossier, files: Files): string {
  const { state, records } = dossier;
  const registration = registrationOf(state);
  const isKept = [...files.attempts.values()].some(({ request, response }) => request.file !== null || (response?.file ?? null) !== null);
  const hashed = [isKept ? '  sha256sum attempts/*\n' : '', records.length > 0 ? '  sha256sum records/*\n' : ''];
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

The same checks by other programs, in the folder where this was unpacked (sh; GNU coreutils, openssl, xmlsec1):

Hashes of the files, and of each attempt as it was stored when it was made (request.sha256, response.sha256):
${hashed.join('')}${records.map((record) => ofRecord(record, dossier, files)).join('')}
Who answered: manifest.json names in tls of each attempt the certificate that the authority's server showed on the connection of the answer, by subject, issuer,
SHA-256 of its DER, and validity. As it was seen then: what its server shows today, openssl s_client prints.

What is not in it: headers, so of a sandbox document the signature of an answer, and the bytes of certificates of TLS. It proves what was sent and answered, and by
whom it was signed; that the authority has it, the address in qr.svg shows.
An answer that manifest.json calls trusted: false was not taken for one of the authority when it came: its signature need not hold, and it proves nothing.
`;
}

function ofRecord(kept: KeptRecord, { state }: Dossier, files: Files): string {
  const { operation, record, round } = kept;
  const file = files.records.get(kept)?.file ?? '';
  if (record.includes('Encadenamiento>')) return huellaOf(operation === 'cancel' ? 'Anulada' : '', file);
  if (!record.startsWith('<Invoice')) return '';
  const sent = state.attempts.filter((attempt) => attempt.kind === 'submit' && attempt.round === round);
  const message = sent.map(({ n }) => files.attempts.get(n)?.request.file ?? null).find((request) => request !== null);
  const certificate = files.certificates.find((one) => message !== undefined && one.in.includes(message));
  return codeOf(file) + (message && certificate ? signatureOf(message, certificate.file) : '');
}

/** Functions of the shell, which read the record that `r` names: a field of its own, and the huella that it states of the record before. */
const FIELD = `of() { sed 's|<sf:Encadenamiento>.*</sf:Encadenamiento>||' $r | grep -o "<sf:$1>[^<]*" | head -n 1 | cut -d'>' -f2 | sed 's/&amp;/\\&/g'; }`;
const BEFORE = `before() { grep -o '<sf:Encadenamiento>.*</sf:Encadenamiento>' $r | grep -o '<sf:Huella>[^<]*' | cut -d'>' -f2; }`;

/** `suffix`: of the fields of an annulment. */
function huellaOf(suffix: string, file: string): string {
  const own = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'].map((name) => `${name}${suffix}`);
  const fields = suffix === '' ? [...own, 'TipoFactura', 'CuotaTotal', 'ImporteTotal'] : own;
  const names = [...fields, 'Huella', 'FechaHoraHusoGenRegistro'];
  const values = [...fields.map((name) => `"$(of ${name})"`), '"$(before)"', '"$(of FechaHoraHusoGenRegistro)"'];
  return `
The huella of ${file}, which is the SHA-256 of its fields (hash document of the AEAT, 0.1.2), and the one that it states:
  r=${file}
  ${FIELD}
  ${BEFORE}
  printf '${names.map((name) => `${name}=%s`).join('&')}' ${values.join(' ')} | sha256sum
  of Huella
`;
}

const ATTRIBUTE = `of() { grep -o '<Invoice [^>]*>' $r | grep -o " $1=\\"[^\\"]*\\"" | cut -d'"' -f2; }`;
const SELLER = `seller() { grep -o '<Seller .*' $r | grep -o ' IDNum="[^"]*"' | head -n 1 | cut -d'"' -f2; }`;

const codeOf = (file: string): string => `
The issuer's code of ${file}, which is the MD5 of the signature that it states as IICSignature, and the code that it states:
  r=${file}
  ${ATTRIBUTE}
  of IICSignature | tr -d '\\n' | basenc --base16 -d > iic.sig; openssl md5 iic.sig
  of IIC
`;

/** Behind the code. A certificate that was renewed in between signs the message, and the one before it the code. */
const signatureOf = (
  message: string,
  certificate: string,
): string => `That signature, by the issuer's key, is over seller's number, time, ordinal, unit, till, software and total:
  ${SELLER}
  openssl x509 -pubkey -noout -in ${certificate} > key.pem
  printf '%s' "$(seller)|$(of IssueDateTime)|$(of InvOrdNum)|$(of BusinUnitCode)|$(of TCRCode)|$(of SoftCode)|$(of TotPrice)" > iic.txt
  openssl dgst -sha256 -verify key.pem -signature iic.sig iic.txt
The signature of its message. The Id of the signed element is Request, in an answer Response:
  xmlsec1 --verify --enabled-key-data x509 --insecure --id-attr:Id RegisterInvoiceRequest ${message}
Whose certificate it is, and who issued it:
  openssl x509 -noout -subject -issuer -dates -in ${certificate}
Whether that issuer is the authority's, with the certificates that the authority publishes:
  openssl verify -CAfile authority-ca.pem ${certificate}
`;
