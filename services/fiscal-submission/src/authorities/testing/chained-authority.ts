import { createHash } from 'node:crypto';
import type { Authority } from '../../submission/authority.ts';
import type { Http } from '../../sending/http.ts';

interface Draft {
  number: string;
  total: string;
  issued_at: string;
}

interface Sent {
  id: string;
  number: string;
  previous: string;
  hash: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An authority for specs that links records, has no query, and answers in JSON. `signs`: the issuer's code is a signature too. */
export function chainedAuthority({ signs = false }: { signs?: boolean } = {}): Authority<Draft> {
  return {
    id: 'chained',
    origin: 'http://chained.test',
    needs: {
      ...{ chain: true, signature: signs ? 'message' : 'none', tls: 'none', query: false, cancel: false },
      ...{ batch: 1, deadline: false, settle: 0, answer: 'at_once' },
    },
    deadlineMs: 1_000,
    check: () => null,
    deadline: () => null,
    record: ({ number, issued_at, document: { total } }) => ({ number, issued_at, total: String(total) }),
    chain: ({ issuer }) => ({ installation: 'I1', taxId: issuer.tax_id ?? '' }),
    link: ({ number, total }, previous, at) => ({
      hash: sha256([previous?.hash ?? '', number, total, at].join('|')),
      cited: { number },
    }),
    ...(signs && { signed: ({ number }: Draft) => number }),
    complete({ number, issued_at }, { link, signature }) {
      const record = JSON.stringify({ number, previous: link?.previous?.hash ?? '', hash: link?.hash });
      const issuer_code = signature ? sha256(signature.signature.toString('base64')) : (link?.hash ?? '');
      const verification_url = `http://chained.test/${number}`;
      return { record, sha256: sha256(record), issuer_code, verification_url, issued_at, late_after: issued_at };
    },
    render: (_of, { record }, { id }) => ({
      ...{ kind: 'submit', id, method: 'POST', url: 'http://chained.test/records', headers: {} },
      body: JSON.stringify({ ...(JSON.parse(record) as object), id }),
    }),
    read(message, _ours, { status, body }) {
      const answer = JSON.parse(body.toString()) as { id: string; code?: string; refused?: string };
      if (status !== 200 || answer.id !== message.id)
        return { kind: 'unknown', error: { code: 'untrusted', message: 'not to this message' } };
      if (answer.code) return { kind: 'registered', code: answer.code, registered_at: '2026-03-01T10:00:00.000Z', warnings: [] };
      return { kind: 'rejected', error: { code: answer.refused ?? 'none', message: 'refused', fixable: 'data' } };
    },
  };
}

/** What the authority has taken, in order. A record behind another one than the last is refused; the same record has one code. */
export function chainedLedger(): { http: Http; taken: Sent[]; outOfOrder: Sent[] } {
  const taken: Sent[] = [];
  const outOfOrder: Sent[] = [];
  const http: Http = async ({ body = '' }) => {
    const sent = JSON.parse(body) as Sent;
    const known = taken.find(({ hash }) => hash === sent.hash);
    const follows = sent.previous === (taken.at(-1)?.hash ?? '');
    if (!known && follows) taken.push(sent);
    if (!known && !follows) outOfOrder.push(sent);
    const answer = known || follows ? { id: sent.id, code: sent.hash } : { id: sent.id, refused: 'order' };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  };
  return { http, taken, outOfOrder };
}
