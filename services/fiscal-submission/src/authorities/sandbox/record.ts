import { createHash, createHmac, createPublicKey, createSecretKey, verify } from 'node:crypto';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { numberText, plusDays } from '@svc/kernel';
import type { PreparedRecord } from '../../submission/domain/facts.ts';
import type { Message } from '../../submission/authority.ts';

const LATE_AFTER_DAYS = 2;

/** Nothing is missing in it: it is neither linked nor signed. */
export type SandboxRecord = Omit<PreparedRecord, 'deadline'>;

/**
 * The record of a document for the sandbox: JSON with amounts as decimal text, the same bytes for the same document. `issuer_code` is the
 * first 128 bits of SHA-256 over `tax id|issue time|number|total`, upper-case hex.
 * @param verifyUrl where a printed document can be checked
 */
export function sandboxRecord(request: RegistrationRequested, verifyUrl: string): SandboxRecord {
  const { number, issued_at, late_reason } = request;
  const taxId = request.issuer.tax_id ?? '';
  const issuerCode = sha256(`${taxId}|${issued_at}|${number}|${numberText(request.document.total)}`)
    .slice(0, 32)
    .toUpperCase();
  const record = JSON.stringify({
    document_number: number,
    document_type: 'type' in request.document ? request.document.type : request.document.object,
    issuer_tax_id: taxId,
    issuer_name: request.issuer.legal_name,
    issuer_code: issuerCode,
    issued_at,
    issue_date: request.issue_date,
    late_reason,
    customer: customerOf(request),
    ...contentOf(request.document),
  });
  return {
    record,
    sha256: sha256(record),
    issuer_code: issuerCode,
    verification_url: `${verifyUrl}?${new URLSearchParams({ number, issuer: taxId, code: issuerCode })}`,
    issued_at,
    late_after: late_reason === null ? `${plusDays(issued_at.slice(0, 10), LATE_AFTER_DAYS)}${issued_at.slice(10)}` : issued_at,
  };
}

function contentOf(document: RegistrationRequested['document']): object {
  return {
    currency: document.currency,
    corrects: 'corrects' in document ? document.corrects : null,
    items: document.items.map(({ description, quantity, unit, unit_price, amount }) => ({
      description: description ?? null,
      quantity: numberText(quantity),
      unit: unit ?? null,
      unit_price: numberText(unit_price),
      amount: numberText(amount),
    })),
    taxes: document.tax_breakdown.map(({ category, code, rate, retained, base, amount }) => ({
      category,
      code,
      rate: numberText(rate),
      retained,
      base: numberText(base),
      amount: numberText(amount),
    })),
    subtotal: numberText(document.subtotal),
    tax_total: numberText(document.tax_total),
    total: numberText(document.total),
  };
}

const customerOf = ({ customer }: RegistrationRequested): object | null =>
  customer && { name: customer.name ?? null, tax_id: customer.tax_id ?? null, country: customer.address?.country ?? null };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The sandbox's published test key. It signs responses about documents without legal effect. */
const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'oLNj-QVGLbe_1qaORGh7d8Wtuhx4q2hasvyIVz3hrjg' }, format: 'jwk' });

/** Whether the sandbox signed these bytes; `signature` in base64. */
export const isSigned = (body: Buffer, signature: string | undefined): boolean =>
  signature !== undefined && verify(null, body, key, Buffer.from(signature, 'base64'));

/** The published test key of those who call the sandbox: derived from a fixed text, like its own. */
const callersKey = createSecretKey(createHash('sha256').update('sandbox tax authority, request signing key 1').digest());

/** The message with its sender: HMAC-SHA256 of the taxpayer, the method, the path and the body. The sandbox keeps the documents of taxpayers apart by it. */
export function signedBy(taxpayer: string, message: Message): Message {
  const { method, url, headers, body = '' } = message;
  const { pathname, search } = new URL(url);
  const signature = createHmac('sha256', callersKey)
    .update([taxpayer, method, `${pathname}${search}`, body].join('\n'))
    .digest('base64');
  return { ...message, headers: { ...headers, 'x-taxpayer': taxpayer, 'x-taxpayer-signature': signature } };
}
