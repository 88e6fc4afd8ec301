import { createHash, createPublicKey, verify } from 'node:crypto';
import type { LedgerRow } from '../ledger.ts';

const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'oLNj-QVGLbe_1qaORGh7d8Wtuhx4q2hasvyIVz3hrjg' }, format: 'jwk' });
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface Reply {
  status: number;
  isSigned: boolean;
  text: string;
  /** {} when the response is not JSON. */
  body: Record<string, unknown> & { error?: { code: string; message: string; fix?: string } };
}

export interface SampleDocument {
  number: string;
  issuer: string;
  total?: string;
}

/** The text of a valid record. */
export function recordOf({ number, issuer, total = '12.5' }: SampleDocument, over: object = {}): string {
  const issued_at = '2026-03-01T10:00:00.000Z';
  const issuer_code = sha256(`${issuer}|${issued_at}|${number}|${total}`).slice(0, 32).toUpperCase();
  return JSON.stringify({ document_number: number, issuer_tax_id: issuer, issuer_code, issued_at, currency: 'EUR', total, ...over });
}

/** A client of the sandbox protocol that returns responses unchanged. */
export function sandboxClient(url: string) {
  let messages = 0;

  async function call(
    method: string,
    path: string,
    { simulate, body, id }: { simulate?: string; body?: object | string; id?: string } = {},
  ): Promise<Reply> {
    const headers = { ...(simulate === undefined ? {} : { 'x-simulate': simulate }), ...(id === undefined ? {} : { 'x-message-id': id }) };
    const response = await fetch(url + path, { method, headers, body: typeof body === 'object' ? JSON.stringify(body) : body });
    const bytes = Buffer.from(await response.arrayBuffer());
    const signature = response.headers.get('x-signature');
    const isSigned = signature !== null && verify(null, bytes, key, Buffer.from(signature, 'base64'));
    return { status: response.status, isSigned, text: bytes.toString(), body: parsed(bytes.toString()) };
  }

  const nextId = (): string => `message-${(messages += 1)}`;
  return {
    call,
    register(document: SampleDocument, simulate?: string, over: object = {}): Promise<Reply> {
      const record = recordOf(document);
      return call('POST', '/sandbox/v1/registrations', {
        simulate,
        body: { message_id: nextId(), record, record_sha256: sha256(record), ...over },
      });
    },
    cancel({ number, issuer }: SampleDocument, simulate?: string): Promise<Reply> {
      const body = { message_id: nextId(), document_number: number, issuer_tax_id: issuer, reason: 'entered twice' };
      return call('POST', '/sandbox/v1/cancellations', { simulate, body });
    },
    query({ number, issuer }: SampleDocument, simulate?: string): Promise<Reply> {
      return call('GET', `/sandbox/v1/registrations?${new URLSearchParams({ document_number: number, issuer_tax_id: issuer })}`, {
        simulate,
        id: nextId(),
      });
    },
    async ledger(query = ''): Promise<{ data: LedgerRow[]; meta: { total: number } }> {
      return (await call('GET', `/ledger${query}`)).body as never;
    },
  };
}

function parsed(text: string): Reply['body'] {
  try {
    return JSON.parse(text) as Reply['body'];
  } catch {
    return {};
  }
}
