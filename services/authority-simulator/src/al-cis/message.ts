import { at, parseXml, type Element } from '../xml/element.ts';
import { schemaErrorOf } from '../xml/schema.ts';
import { findSignature, signatureFlawOf, type FoundSignature, type SignatureFlaw } from '../xml/signature.ts';
import type { Dialect } from './dialect.ts';
import { published, refusal, type Refusal } from './refusal.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const MOST_BYTES = 150 * 1_024;
const BOUNDS = { depth: 16, elements: 8_000, tag: 16_384 };
const UUID = /^[0-9a-fA-F-]{36}$/;

/** A request element whose form is right; its signature is not yet verified. */
export interface Message {
  /** The element in the body of the envelope. */
  element: Element;
  /** `RegisterInvoiceRequest` */
  name: string;
  uuid: string;
  sent: string;
  late: string | undefined;
  /** `Invoice`, `CashDeposit` or `TCR`. */
  part: Element;
}

const flaws: Record<SignatureFlaw, number> = {
  missing: 21,
  several: 24,
  incomplete: 23,
  canonicalization: 27,
  method: 26,
  reference: 25,
  transforms: 31,
  'digest method': 28,
  'several keys': 32,
  'no certificate': 33,
  digest: 30,
  value: 29,
};

/** The one element in the body of an envelope, or why there is none. */
export function requestElement(body: Buffer, { namespace, requests }: Dialect): Element | Refusal {
  if (body.length > MOST_BYTES) return published(1);
  const envelope = parseXml(body, BOUNDS);
  if (typeof envelope === 'string') return refusal(10, `Exception occurred while extracting received XML message: ${envelope}.`);
  const [element, second] = at(envelope, 'Body')?.children ?? [];
  if (envelope.name !== 'Envelope' || envelope.namespace !== SOAP || !element || second) return published(22);
  if (element.namespace !== namespace || !Object.hasOwn(requests, element.name)) return published(22);
  return element;
}

/** The message in a request element, by the schema. Its signature is looked at first, which the schema does not have. */
export function readMessage(
  element: Element,
  { requests }: Dialect,
  body: Buffer,
): { message: Message; signature: FoundSignature } | Refusal {
  const signature = findSignature(element, 'Request');
  if (typeof signature === 'string') return published(flaws[signature]);
  const shape = requests[element.name];
  const unsigned = { ...element, children: element.children.filter((child) => child !== signature.node) };
  const error = shape ? schemaErrorOf(unsigned, shape) : undefined;
  if (error) return refusal(11, `Received XML message failed XSD validation: ${error.path} ${error.reason}.`);
  if (!body.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte <= 126)))
    return refusal(11, 'Received XML message has characters that are not ASCII.');
  const [header, part] = [at(unsigned, 'Header'), unsigned.children.find(({ name }) => name !== 'Header')];
  if (!header || !part) return published(22);
  const { attributes } = header;
  const [uuid = '', sent = ''] = [attributes.get('UUID'), attributes.get('SendDateTime')];
  return { message: { element, name: element.name, uuid, sent, late: attributes.get('SubseqDelivType'), part }, signature };
}

/** Takes the signature out of the message and verifies it. */
export function signatureRefusal(
  { element }: Message,
  signature: FoundSignature,
  key: Parameters<typeof signatureFlawOf>[2],
): Refusal | undefined {
  const flaw = signatureFlawOf(element, signature, key);
  return flaw && published(flaws[flaw]);
}

/** The id of a request, also of one that is refused. */
export function requestUuid(element: Element): string | undefined {
  const uuid = at(element, 'Header')?.attributes.get('UUID');
  return uuid !== undefined && UUID.test(uuid) ? uuid : undefined;
}
