import { millisOf } from '@svc/kernel';
import { canonical, element, soapEnvelope, type Element } from '../../xml/element.ts';
import { enveloped } from '../../xml/enveloped-signature.ts';
import type { Envelope, Message, Till, Unsigned } from '../../submission/authority.ts';
import type { PreparedRecord } from '../../submission/domain/facts.ts';
import { inOffsetOf, localTime } from '../local-time.ts';
import type { Dialect } from './dialect.ts';

/** How long after its issue an invoice is not late. The document names no figure: an assumption. */
export const FRESH_MS = 60_000;

/** The service takes version 4 alone (3.7.1.2); the digit of the version is no part of what makes ids unique. */
export const uuid4 = (id: string): string => `${id.slice(0, 14)}4${id.slice(15)}`;

/** A service: where it is called, and what it speaks. */
export interface Service {
  /** Origin, such as https://efiskalizimi-test.tatime.gov.al. */
  origin: string;
  dialect: Dialect;
}

type Sent = Pick<PreparedRecord, 'record' | 'issued_at' | 'late_reason'>;

/**
 * A message that registers an invoice. The first one in time states the time of issue as its own, literally; every later one states its own, and why it comes
 * later: `NOINTERNET` where the issuer says so, `SERVICE` where the service failed when it was sent in time, else `TECHNICALERROR`: this side was away, or its
 * clock or certificate was refused.
 */
export function registerInvoice(service: Service, { record, issued_at, late_reason = null }: Sent, envelope: Envelope): Unsigned {
  const { id, sentAt, firstSentAt, authorityFailed = false } = envelope;
  const isFresh = (at: string): boolean => millisOf(at) - millisOf(issued_at) <= FRESH_MS;
  const isFirst = late_reason === null && firstSentAt === null && isFresh(sentAt);
  const isOfService = authorityFailed && firstSentAt !== null && isFresh(firstSentAt);
  const why = late_reason !== null ? 'NOINTERNET' : isOfService ? 'SERVICE' : 'TECHNICALERROR';
  const header = element('Header', {
    ...{ UUID: uuid4(id), SendDateTime: isFirst ? issuedIn(record) : localTime(service.dialect.zone, sentAt) },
    SubseqDelivType: isFirst ? undefined : why,
  });
  return signedMessage(service, 'RegisterInvoice', [header, RAW], record, { id, kind: 'submit' });
}

type Opens = Pick<PreparedRecord, 'record' | 'opening' | 'late_reason'>;

/**
 * A till's opening on the day of its first cash invoice (3.6); only the first one of a day is taken. Where that day is over, it is stated late, with the time of
 * the invoice.
 */
export function registerOpening(service: Service, { record, opening = '', late_reason = null }: Opens, { id, sentAt }: Envelope): Unsigned {
  const { taxId } = service.dialect;
  const { owner, device, day, amount } = openingOf(opening);
  const issued = issuedIn(record);
  const now = inOffsetOf(issued, sentAt);
  const isLate = now.slice(0, 10) !== day;
  const why = late_reason === null ? 'TECHNICALERROR' : 'NOINTERNET';
  const header = element('Header', { UUID: uuid4(id), SendDateTime: now, SubseqDelivType: isLate ? why : undefined });
  const content = {
    ChangeDateTime: isLate ? issued : now,
    Operation: 'INITIAL',
    CashAmt: amount,
    TCRCode: device,
    [taxId.attribute]: owner,
  };
  return signedMessage(service, 'RegisterCashDeposit', [header, RAW], canonical(element('CashDeposit', content)), { id, kind: 'deposit' });
}

/** How a record names the opening of its till: `<tax id>.<till>.<day>.<amount>`. */
export const openingName = ({ owner, device, day, amount }: Opening): string => [owner, device, day, amount].join('.');

interface Opening {
  owner: string;
  device: string;
  day: string;
  /** With two decimals. */
  amount: string;
}

function openingOf(name: string): Opening {
  const [owner = '', device = '', day = '', ...amount] = name.split('.');
  return { owner, device, day, amount: amount.join('.') };
}

const types: Record<Till['type'], string> = { regular: 'REGULAR', vending: 'VENDING' };

/** Registers a till, or sets the last day of one that is registered under its unit and internal name (3.5). */
export function registerTill(service: Service, till: Till, { id, sentAt }: Envelope): Unsigned {
  const { zone, taxId } = service.dialect;
  const header = element('Header', { UUID: uuid4(id), SendDateTime: localTime(zone, sentAt) });
  const content = {
    ...{ [taxId.attribute]: till.issuer_tax_id, BusinUnitCode: till.unit, TCRIntID: till.internal_id, SoftCode: till.software_code },
    ...{ MaintainerCode: till.maintainer_code, ValidFrom: till.valid_from, ValidTo: till.valid_to ?? undefined, Type: types[till.type] },
  };
  return signedMessage(service, 'RegisterTCR', [header, RAW], canonical(element('TCR', content)), { id, kind: 'till' });
}

/** Stands where the record comes, which is canonical already. */
const RAW: Element = { name: 'Content' };

function signedMessage(
  { origin, dialect }: Service,
  operation: string,
  children: Element[],
  record: string,
  { id, kind }: Pick<Message, 'id' | 'kind'>,
): Unsigned {
  const attributes = { xmlns: dialect.namespace, Id: 'Request', Version: dialect.version };
  const root = canonical(element(`${operation}Request`, attributes, children)).replace('<Content></Content>', () => record);
  const { text, signedWith } = enveloped(root, 'Request');
  const message: Omit<Message, 'body'> = {
    ...{ kind, id, method: 'POST', url: `${origin}${dialect.path}` },
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${dialect.action}${operation}"` },
  };
  return { text, signedWith: (signed) => ({ ...message, body: soapEnvelope(signedWith(signed)) }) };
}

const issuedIn = (record: string): string => /IssueDateTime="([^"]*)"/.exec(record)?.[1] ?? '';
