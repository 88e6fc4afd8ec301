import { createHash } from 'node:crypto';
import type { Authority, Batch } from '../../submission/authority.ts';
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

export interface Kind {
  /** The issuer's code is a signature too. */
  signs?: boolean;
  /** Most records of a sending. */
  most?: number;
}

/** Sendings of several records. The answer has a code or a refusal of each, and the milliseconds before the next sending. */
const batch: Batch = {
  group: () => 'all',
  render: (records, { id }) => ({
    ...{ kind: 'submit', id, method: 'POST', url: 'http://chained.test/sendings', headers: {} },
    body: JSON.stringify({ id, records: records.map(({ record }) => JSON.parse(record) as object) }),
  }),
  read(message, _ours, { status, body }) {
    const answer = JSON.parse(body.toString()) as { id: string; lines: { code?: string; refused?: string }[]; wait: number };
    if (status !== 200 || answer.id !== message.id) throw new Error('not to this message');
    return {
      waitMs: answer.wait,
      results: answer.lines.map(({ code, refused = '' }) =>
        code === undefined
          ? { kind: 'rejected', error: { code: refused, message: 'refused', fixable: 'data' } }
          : { kind: 'registered', code, registered_at: '2026-03-01T10:00:00.000Z', warnings: [] },
      ),
    };
  },
};

/** An authority for specs that links records, has no query, and answers in JSON. */
export function chainedAuthority({ signs = false, most = 1 }: Kind = {}): Authority<Draft> {
  return {
    id: 'chained',
    origin: 'http://chained.test',
    needs: {
      ...{ chain: true, signature: signs ? 'message' : 'none', tls: 'none', query: false, cancel: false },
      ...{ batch: most, deadline: false, settle: 0, answer: 'at_once' },
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
    ...(most > 1 && { batch }),
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

interface Ledger {
  http: Http;
  taken: Sent[];
  outOfOrder: Sent[];
  /** Records of each sending. */
  sendings: number[];
}

/** What the authority has taken, in order. A record behind another one than the last is refused, like those in `refused`; the same record has one code. */
export function chainedLedger({ wait = 0, refused = new Set<string>() } = {}): Ledger {
  const ledger = { taken: [] as Sent[], outOfOrder: [] as Sent[], sendings: [] as number[] };
  const { taken, outOfOrder } = ledger;
  const take = (sent: Sent): { code: string } | { refused: string } => {
    const known = taken.find(({ hash }) => hash === sent.hash);
    const follows = sent.previous === (taken.at(-1)?.hash ?? '');
    if (!known && follows) taken.push(sent);
    if (!known && !follows) outOfOrder.push(sent);
    if (refused.has(sent.number)) return { refused: 'E1' };
    return known || follows ? { code: sent.hash } : { refused: 'order' };
  };
  const http: Http = async ({ body = '' }) => {
    const sent = JSON.parse(body) as Sent & { records?: Sent[] };
    ledger.sendings.push(sent.records?.length ?? 1);
    const answer = sent.records ? { id: sent.id, lines: sent.records.map(take), wait } : { id: sent.id, ...take(sent) };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  };
  return { ...ledger, http };
}
