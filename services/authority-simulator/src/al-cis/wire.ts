import { millisOf } from '@svc/kernel';
import { publishedKey, testAuthority, type TestAuthority } from '../pki/test-authority.ts';
import { countOf, type Fault } from '../wires/faults.ts';
import { after, before } from '../wires/outcomes.ts';
import { noReply, pageReply, type Exchanged, type Reply, type Wire, type WireContext, type WireRequest } from '../wires/wire.ts';
import { at, type Element } from '../xml/element.ts';
import { faultReply, signedReply, type Signer } from './answers.ts';
import { rememberKey } from '../pki/taxpayer-keys.ts';
import { checkedCertificate } from './certificates.ts';
import { issuerOf } from './controls.ts';
import { registerDeposit } from './deposit.ts';
import { given, type Dialect } from './dialect.ts';
import { registerInvoice } from './invoice.ts';
import type { Judging } from './judging.ts';
import { readMessage, requestElement, requestUuid, signatureRefusal } from './message.ts';
import { published, refusal, type Refusal } from './refusal.ts';
import { registerTill } from './till.ts';
import { clockRefusal } from './times.ts';

interface Operation {
  name: string;
  response: string;
  /** The element of an answer that has the code. */
  codeName: string;
  register(judging: Judging): { code: string } | Refusal;
}

const operations: Record<string, Operation> = {
  RegisterInvoiceRequest: { name: 'registerInvoice', response: 'RegisterInvoiceResponse', codeName: 'FIC', register: registerInvoice },
  RegisterCashDepositRequest: {
    name: 'registerCashDeposit',
    response: 'RegisterCashDepositResponse',
    codeName: 'FCDC',
    register: registerDeposit,
  },
  RegisterTCRRequest: { name: 'registerTCR', response: 'RegisterTCRResponse', codeName: 'TCRCode', register: registerTill },
};

/** The words by which scripts name a reason, as codes. */
const reasons: Record<string, number> = { data: 11, setup: 41, credentials: 36 };
const certificateCodes: Record<string, number> = { expired: 36, revoked: 38, unknown: 39 };
const SILENT_MS = 30_000;

/** The fiscalization service of a dialect. */
export function cisWire(dialect: Dialect): Wire {
  const authority = testAuthority(dialect.country);
  const signers = {
    right: signerOf(authority, dialect, dialect.signer, '02'),
    wrong: signerOf(authority, dialect, 'Another signer', '03'),
  };

  function answer(request: WireRequest, context: WireContext): Exchanged {
    if (request.method !== 'POST') return { operation: '', fault: null, reply: pageReply(405, 'The service takes POST alone.') };
    const asked = askedOf(request, dialect);
    const operation = asked.operation?.name ?? '';
    const fault = context.fault({ operation, tax_id: asked.taxId, number: asked.number });
    const reply = before(fault) ?? silence(fault) ?? after(fault, answered(asked, fault, context));
    return { operation, fault: fault && fault.name !== 'accept' ? fault.name : null, reply };
  }

  function answered(asked: Asked, fault: Fault | undefined, context: WireContext): Reply {
    const now = context.now + (fault?.name === 'clock' ? secondsOf(fault) * 1_000 : 0);
    const { element, operation, uuid } = asked;
    const outcome = element && operation ? judged({ ...asked, element, operation }, fault, { ...context, now }) : asked.refusal;
    if ('message' in outcome) return faultReply(outcome, uuid, now);
    if (fault?.name === 'server_900') return faultReply(refusal(900, 'Internal server exception.'), uuid, now);
    const { response: name, codeName } = operation ?? NO_OPERATION;
    const { code } = outcome;
    const requestUuid = fault?.name === 'wrong_request_id' ? OTHER_UUID : (uuid ?? '');
    const signer = fault?.name === 'wrong_signer' ? signers.wrong : signers.right;
    const reply = signedReply(dialect, { name, codeName, uuid: requestUuid, code, now }, signer);
    return fault?.name === 'bad_signature' ? altered(reply, code) : reply;
  }

  function judged(
    { element, operation, taxId, body }: Required<Pick<Asked, 'element' | 'operation'>> & Asked,
    fault: Fault | undefined,
    { registry, book, now }: WireContext,
  ): { code: string } | Refusal {
    const scripted = scriptedRefusal(fault, element);
    if (scripted) return scripted;
    const read = readMessage(element, dialect, body);
    if ('code' in read) return read;
    const { message, signature } = read;
    const certificate = checkedCertificate(signature.certificate, { authority, registry, dialect, taxId, now });
    if ('code' in certificate) return certificate;
    const refused = signatureRefusal(message, signature, certificate.key) ?? clockRefusal(message.sent, now);
    if (refused) return refused;
    rememberKey(registry, taxId, certificate.key);
    const resends = fault?.name === 'resend' && fault.argument === 'refused' ? 'refused' : 'same';
    return operation.register({ message, dialect, taxId, now, book, registry, resends });
  }

  return { authority: dialect.authority, paths: dialect.paths, maxBody: 1_048_576, answer };
}

/** A request as far as it can be read. */
interface Asked {
  body: Buffer;
  element?: Element;
  operation?: Operation;
  /** Why there is no element. */
  refusal: Refusal;
  taxId: string;
  /** InvNum; empty for requests about tills and deposits. */
  number: string;
  uuid: string | undefined;
}

function askedOf({ body, isTooLarge }: WireRequest, dialect: Dialect): Asked {
  const element = isTooLarge ? published(1) : requestElement(body, dialect);
  if ('message' in element) return { body, refusal: element, taxId: '', number: '', uuid: undefined };
  const operation = operations[element.name];
  return {
    ...{ body, element, refusal: published(22), taxId: taxIdOf(element, dialect), uuid: requestUuid(element) },
    ...(operation && { operation }),
    number: given(at(element, 'Invoice'), 'InvNum') ?? '',
  };
}

const silence = (fault: Fault | undefined): Reply | undefined =>
  fault?.name === 'silent' ? { ...noReply, delayMs: SILENT_MS } : undefined;
const NO_OPERATION = { response: '', codeName: '' };
const OTHER_UUID = '00000000-0000-4000-8000-000000000000';

/** Refusals that a script asks for; what is refused is not judged, and nothing is stored. */
function scriptedRefusal(fault: Fault | undefined, element: Element): Refusal | undefined {
  switch (fault?.name) {
    case 'reject':
    case 'reject_once':
      return refusal(
        reasons[fault.argument] ?? (countOf(fault, 999) || 11),
        'The simulator refuses this message because a script asks for it.',
      );
    case 'certificate':
      return published(certificateCodes[fault.argument] ?? 36);
    case 'duplicate_foreign':
      return published(58);
    case 'refuse_void':
      return at(element, 'Invoice/CorrectiveInv') && refusal(11, 'The simulator refuses corrective invoices because a script asks for it.');
    case 'server_900':
      return fault.argument === 'stored' ? undefined : refusal(900, 'Internal server exception.');
    default:
      return undefined;
  }
}

function taxIdOf(element: Element, { taxId }: Dialect): string {
  const invoice = at(element, 'Invoice');
  if (invoice) return given(issuerOf(invoice), 'IDNum') ?? '';
  return given(at(element, 'CashDeposit') ?? at(element, 'TCR'), taxId.attribute) ?? '';
}

function signerOf(authority: TestAuthority, { country }: Dialect, name: string, serial: string): Signer {
  const key = publishedKey('answers');
  const [from, to] = [millisOf('2019-01-01'), millisOf('2049-12-31')];
  return { key, certificate: authority.issue({ subject: { country, name }, key, serial, from, to }) };
}

/** The answer with another code than the one that was signed. */
function altered(reply: Reply, code: string): Reply {
  const other = `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`;
  return { ...reply, body: Buffer.from(reply.body.toString().replace(code, other)) };
}

const secondsOf = ({ argument }: Fault): number => (/^-?\d{1,7}$/.test(argument) ? Number(argument) : 0);
