import type { KeyObject } from 'node:crypto';
import { signed } from '../xml/signature.ts';
import { escaped } from '../xml/text.ts';
import { localTime } from '../wires/local-time.ts';
import { xmlReply, type Reply } from '../wires/wire.ts';
import type { Dialect } from './dialect.ts';
import type { Refusal } from './refusal.ts';
import { uuidOf } from './uuid.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

export interface Signer {
  key: KeyObject;
  /** PEM */
  certificate: string;
}

/** Albania and Montenegro have the same time. */
const ZONE = 'Europe/Tirane';

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="${SOAP}"><soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;

/** The signed answer to a request: `RegisterInvoiceResponse` with its `FIC`. */
export function signedReply(
  { namespace, version }: Dialect,
  { name, uuid, codeName, code, now }: { name: string; uuid: string; codeName: string; code: string; now: number },
  signer: Signer,
): Reply {
  const sent = localTime(ZONE, now);
  const header = `<Header UUID="${uuidOf(`answer ${uuid} ${now}`)}" RequestUUID="${escaped(uuid)}" SendDateTime="${sent}"/>`;
  const element = `<${name} xmlns="${namespace}" Id="Response" Version="${version}">${header}<${codeName}>${code}</${codeName}></${name}>`;
  return xmlReply(200, envelope(signed(element, 'Response', signer)));
}

/** A fault, which is not signed. SOAP 1.1 sends it with the status 500. */
export function faultReply({ code, message }: Refusal, requestUuid: string | undefined, now: number): Reply {
  const of = code >= 900 ? 'SERVER' : 'CLIENT';
  const request = requestUuid === undefined ? '' : `<requestUUID>${escaped(requestUuid)}</requestUUID>`;
  const response = `<responseUUID>${uuidOf(`fault ${requestUuid ?? ''} ${now}`)}</responseUUID>`;
  const detail = `<detail><code>${code}</code>${request}${response}</detail>`;
  return xmlReply(
    500,
    envelope(`<soapenv:Fault><faultcode>soapenv:${of}</faultcode><faultstring>${escaped(message)}</faultstring>${detail}</soapenv:Fault>`),
  );
}
