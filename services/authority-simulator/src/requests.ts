import type { Clock } from '@svc/kernel';
import { unsigned, type Answer, isFrom } from './answer.ts';
import { SandboxAuthority } from './authority.ts';
import { cancellationCall, registrationCall } from './calls.ts';
import type { Ledger } from './ledger.ts';

/** One HTTP request. Header names are in lower case. */
export interface SimulatorRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string | undefined>;
  body: string;
}

const MAX_PAGE = 10_000;

/** The simulator without a socket: the sandbox protocol, and the ledger for tests. */
export function answering(ledger: Ledger, clock: Pick<Clock, 'now'>): (request: SimulatorRequest) => Promise<Answer> {
  const authority = new SandboxAuthority(ledger, clock);

  async function ask({ method, path, headers, body }: SimulatorRequest): Promise<Answer> {
    const url = URL.parse(path, 'http://authority');
    const simulate = Buffer.from(headers['x-simulate'] ?? '', 'latin1').toString('utf8');
    const taxpayer = headers['x-taxpayer'] ?? '';
    if (taxpayer !== '' && !isFrom(taxpayer, { method, path, body }, headers['x-taxpayer-signature']))
      return unsigned(401, 'X-Taxpayer-Signature is not the signature of this request.');
    switch (url && `${method} ${url.pathname}`) {
      case 'POST /sandbox/v1/registrations': {
        const call = registrationCall(taxpayer, body);
        return typeof call === 'string' ? unsigned(400, call) : authority.register(call, simulate);
      }
      case 'POST /sandbox/v1/cancellations': {
        const call = cancellationCall(taxpayer, body);
        return typeof call === 'string' ? unsigned(400, call) : authority.cancel(call, simulate);
      }
      case 'GET /sandbox/v1/registrations': {
        const [document_number, issuer_tax_id, messageId] = [
          url?.searchParams.get('document_number'),
          url?.searchParams.get('issuer_tax_id'),
          headers['x-message-id'],
        ];
        if (!document_number || !issuer_tax_id || !messageId)
          return unsigned(400, 'document_number, issuer_tax_id and X-Message-Id are needed');
        const record_sha256 = url?.searchParams.get('record_sha256') ?? undefined;
        return authority.query({ taxpayer, document_number, issuer_tax_id, record_sha256 }, messageId, simulate);
      }
      case 'GET /sandbox/v1/verify':
        return verified(url?.searchParams ?? new URLSearchParams());
      case 'GET /ledger':
        return ledgerPage(url?.searchParams ?? new URLSearchParams());
      case 'DELETE /ledger':
        await ledger.write(() => ledger.clear());
        return json({ data: [], meta: { total: 0 } });
      case 'GET /healthz':
        return json({ status: 'ok' });
      default:
        return unsigned(404, 'There is nothing here.');
    }
  }

  /** The page behind the link on a printed document. */
  async function verified(query: URLSearchParams): Promise<Answer> {
    await ledger.settled();
    const asked = (name: string): string => query.get(name) ?? '';
    const known = ledger.findPrinted({ document_number: asked('number'), issuer_tax_id: asked('issuer'), issuer_code: asked('code') });
    return known
      ? json({ registered: true, code: known.code, registered_at: known.registered_at, voided_at: known.voided_at })
      : json({ registered: false });
  }

  async function ledgerPage(query: URLSearchParams): Promise<Answer> {
    await ledger.settled();
    const [after, limit] = [query.get('after') ?? '0', query.get('limit') ?? '100'];
    if (!/^\d{1,12}$/.test(after) || !/^\d{1,12}$/.test(limit))
      return unsigned(400, 'after and limit are whole numbers: rows to pass over, rows to answer');
    const { data, total } = ledger.page(Number(after), Math.min(Number(limit), MAX_PAGE));
    return json({ data, meta: { total } });
  }

  return ask;
}

const json = (content: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(content)),
});
