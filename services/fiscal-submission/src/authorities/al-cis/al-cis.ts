import { createHash } from 'node:crypto';
import { dayIn, iso, millisOf, plusDays } from '@svc/kernel';
import type { Authority } from '../../submission/authority.ts';
import { canonical } from '../../xml/element.ts';
import type { Trust } from '../../xml/verify.ts';
import { readAlAnswer } from './answer.ts';
import { iicOf, verificationUrl } from './codes.ts';
import { FRESH_MS, openingName, registerInvoice, registerOpening } from './message.ts';
import { NUIS } from './parties.ts';
import { alDraft, codeTextOf, type AlDraft } from './record.ts';

const DEADLINE_MS = 10_000;
const ZONE = 'Europe/Tirane';
const DAYS_MS = 2 * 86_400_000;

export interface AlCisOptions {
  /** Origin of the service, such as https://efiskalizimi-test.tatime.gov.al. */
  origin: string;
  /** Origin of the page that checks an invoice. */
  page: string;
  /** Whose answers are trusted. */
  trust: Trust;
  /** Who may have issued the certificate of its TLS, in PEM; absent: as the machine trusts. */
  anchors?: readonly string[];
}

/** The adapter of Albania's Central Information System: Fiscalization Service, Technical Specification v07, version 3 of its schema. */
export function alCis({ origin, page, trust, anchors }: AlCisOptions): Authority<AlDraft> {
  return {
    id: 'al-cis',
    origin,
    needs: {
      ...{ chain: false, signature: 'message', tls: 'none', query: false, cancel: false },
      ...{ batch: 1, deadline: true, settle: 0, answer: 'at_once' },
    },
    ...(anchors && { anchors }),
    deadlineMs: DEADLINE_MS,
    check: ({ issuer_tax_id }) =>
      NUIS.test(issuer_tax_id)
        ? null
        : {
            code: 'issuer_tax_id',
            message: 'The issuer’s tax id is no NUIS. Set it with PATCH /issuer and submit again.',
            fixable: 'setup',
          },
    record: alDraft,
    signed: codeTextOf,
    complete({ of, invoice, late_reason, warnings }, { signature }) {
      if (!signature) throw new TypeError('the issuer’s code is a signature');
      const codes = iicOf(signature.signature);
      const record = canonical({ ...invoice, attributes: { ...invoice.attributes, ...codes } });
      const issued_at = iso(millisOf(of.issued));
      return {
        ...{ record, sha256: createHash('sha256').update(record).digest('hex'), issuer_code: codes.IIC },
        ...{ verification_url: verificationUrl(page, codes.IIC, of), issued_at, late_reason },
        ...(warnings.length > 0 && { warnings }),
        ...(of.device !== null && { opening: openingName({ nuis: of.nuis, device: of.device, day: of.issued.slice(0, 10) }) }),
        late_after: late_reason === null ? iso(millisOf(issued_at) + FRESH_MS) : issued_at,
      };
    },
    deadline: (issuedAt, lateReason) => (lateReason === 'no_internet' ? endOfTenthAfter(issuedAt) : iso(millisOf(issuedAt) + DAYS_MS)),
    render: (_of, record, envelope) => registerInvoice(`${origin}/FiscalizationService-v3`, record, envelope, ZONE),
    opening: ({ opening = '' }, envelope) => registerOpening(`${origin}/FiscalizationService-v3`, opening, envelope, ZONE),
    read: (message, _ours, response) => readAlAnswer(message, response, trust),
  };
}

/** What was issued without internet is taken until the 10th of the next month, in Albania's time, which is at most two hours ahead of UTC. */
function endOfTenthAfter(issuedAt: string): string {
  const firstOfMonth = `${dayIn(ZONE, millisOf(issuedAt)).slice(0, 7)}-01`;
  const nextMonth = plusDays(firstOfMonth, 31).slice(0, 7);
  return iso(millisOf(`${nextMonth}-10T22:00:00.000Z`) - 1);
}
