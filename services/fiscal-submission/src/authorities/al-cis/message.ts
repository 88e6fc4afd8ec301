import { millisOf } from '@svc/kernel';
import { canonical, element, soapEnvelope, type Element } from '../../xml/element.ts';
import { enveloped } from '../../xml/enveloped-signature.ts';
import type { Envelope, Message, Unsigned } from '../../submission/authority.ts';
import { localTime } from '../local-time.ts';

export const NAMESPACE = 'https://eFiskalizimi.tatime.gov.al/FiscalizationService/schema';
const ACTION = 'https://eFiskalizimi.tatime.gov.al/FiscalizationService/';
/** How long after its issue an invoice is not late. The document names no figure: an assumption. */
export const FRESH_MS = 60_000;

/** The service takes version 4 alone (3.7.1.2); the digit of the version is no part of what makes ids unique. */
export const uuid4 = (id: string): string => `${id.slice(0, 14)}4${id.slice(15)}`;

interface Sent {
  /** Canonical `Invoice`. */
  record: string;
  issued_at: string;
  late_reason?: string | null | undefined;
}

/**
 * A message that registers an invoice. The first one in time states the time of issue as its own, literally; every later one states its own, and why it comes
 * later: `NOINTERNET` where the issuer says so, `SERVICE` where the service did not answer when it was sent in time, else `TECHNICALERROR`.
 */
export function registerInvoice(url: string, { record, issued_at, late_reason = null }: Sent, envelope: Envelope, zone: string): Unsigned {
  const { id, sentAt, firstSentAt } = envelope;
  const isFresh = (at: string): boolean => millisOf(at) - millisOf(issued_at) <= FRESH_MS;
  const isFirst = late_reason === null && firstSentAt === null && isFresh(sentAt);
  const why = late_reason !== null ? 'NOINTERNET' : firstSentAt !== null && isFresh(firstSentAt) ? 'SERVICE' : 'TECHNICALERROR';
  const header = element('Header', {
    ...{ UUID: uuid4(id), SendDateTime: isFirst ? issuedIn(record) : localTime(zone, sentAt) },
    SubseqDelivType: isFirst ? undefined : why,
  });
  return signedMessage(url, 'RegisterInvoice', [header, RAW], record, { id, kind: 'submit' });
}

/** A till's opening on the day of its first cash invoice (3.6): the amount may be 0.00, and only the first one of a day is taken. */
export function registerOpening(url: string, opening: string, { id, sentAt }: Envelope, zone: string): Unsigned {
  const { nuis, device } = openingOf(opening);
  const now = localTime(zone, sentAt);
  const header = element('Header', { UUID: uuid4(id), SendDateTime: now });
  const content = { ChangeDateTime: now, Operation: 'INITIAL', CashAmt: '0.00', TCRCode: device, IssuerNUIS: nuis };
  return signedMessage(url, 'RegisterCashDeposit', [header, RAW], canonical(element('CashDeposit', content)), { id, kind: 'deposit' });
}

/** How a record names the opening of its till: `<nuis>.<till>.<day>`. */
export const openingName = ({ nuis, device, day }: { nuis: string; device: string; day: string }): string => `${nuis}.${device}.${day}`;

function openingOf(name: string): { nuis: string; device: string } {
  const [nuis = '', device = ''] = name.split('.');
  return { nuis, device };
}

/** The place of the record, which is canonical already. */
const RAW: Element = { name: 'Content' };

function signedMessage(
  url: string,
  operation: string,
  children: Element[],
  record: string,
  { id, kind }: Pick<Message, 'id' | 'kind'>,
): Unsigned {
  const attributes = { xmlns: NAMESPACE, Id: 'Request', Version: '3' };
  const root = canonical(element(`${operation}Request`, attributes, children)).replace('<Content></Content>', () => record);
  const { text, signedWith } = enveloped(root, 'Request');
  const message: Omit<Message, 'body'> = {
    ...{ kind, id, method: 'POST', url },
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${ACTION}${operation}"` },
  };
  return { text, signedWith: (signed) => ({ ...message, body: soapEnvelope(signedWith(signed)) }) };
}

const issuedIn = (record: string): string => /IssueDateTime="([^"]*)"/.exec(record)?.[1] ?? '';
