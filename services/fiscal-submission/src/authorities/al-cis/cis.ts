import { createHash } from 'node:crypto';
import { dayIn, iso, millisOf, plusDays, startOfDay } from '@svc/kernel';
import type { Authority } from '../../submission/authority.ts';
import { canonical } from '../../xml/element.ts';
import type { Trust } from '../../xml/verify.ts';
import { CODE_FORM, readCisAnswer, signedAt } from './answer.ts';
import { iicOf, verificationUrl } from './codes.ts';
import type { Dialect } from './dialect.ts';
import { FRESH_MS, openingName, registerInvoice, registerOpening, registerTill } from './message.ts';
import { cisDraft, codeTextOf, type CisDraft } from './record.ts';

const DEADLINE_MS = 10_000;
const DAYS_MS = 2 * 86_400_000;

export interface CisOptions {
  /** Origin of the service, such as https://efiskalizimi-test.tatime.gov.al. */
  origin: string;
  /** Address of the page that checks an invoice, before `/#/`. */
  page: string;
  /** Whose answers are trusted. */
  trust: Trust;
  /** Who may have issued the certificate of its TLS, in PEM; absent: as the machine trusts. */
  anchors?: readonly string[];
}

/** The adapter of a fiscalization service. */
export function cis(dialect: Dialect, { origin, page, trust, anchors }: CisOptions): Authority<CisDraft> {
  const service = { origin, dialect };
  return {
    id: dialect.id,
    origin,
    needs: {
      ...{ chain: false, signature: 'message', tls: 'none', query: false, cancel: false },
      ...{ batch: 1, deadline: true, settle: 0, answer: 'at_once' },
    },
    codeForm: CODE_FORM,
    ...(anchors && { anchors }),
    deadlineMs: DEADLINE_MS,
    check: ({ issuer_tax_id }) =>
      dialect.taxId.pattern.test(issuer_tax_id)
        ? null
        : {
            code: 'issuer_tax_id',
            message: `The issuer’s tax id ${dialect.taxId.words}. Set it with PATCH /issuer and submit again.`,
            fixable: 'setup',
          },
    record: (request) => cisDraft(request, dialect),
    signed: codeTextOf,
    complete({ of, invoice, opening, late_reason, warnings }, { signature }) {
      if (!signature) throw new TypeError('the issuer’s code is a signature');
      const codes = iicOf(signature.signature);
      const record = canonical({ ...invoice, attributes: { ...invoice.attributes, ...codes } });
      const issued_at = iso(millisOf(of.issued));
      const day = of.issued.slice(0, 10);
      return {
        ...{ record, sha256: createHash('sha256').update(record).digest('hex'), issuer_code: codes.IIC },
        ...{ verification_url: verificationUrl(page, codes.IIC, of), issued_at, late_reason },
        ...(warnings.length > 0 && { warnings }),
        ...(opening !== null && { opening: openingName({ owner: of.nuis, device: of.device ?? '', day, amount: opening }) }),
        late_after: late_reason === null ? iso(millisOf(issued_at) + FRESH_MS) : issued_at,
      };
    },
    deadline: (issuedAt, lateReason) =>
      lateReason === 'no_internet' ? endOfTenthAfter(issuedAt, dialect.zone) : iso(millisOf(issuedAt) + DAYS_MS),
    render: (_of, record, envelope) => registerInvoice(service, record, envelope),
    opening: (record, envelope) => registerOpening(service, record, envelope),
    till: (till, envelope) => registerTill(service, till, envelope),
    read: (message, _ours, response) => readCisAnswer(message, response, { trust, namespace: dialect.namespace }),
    saidAt: signedAt,
  };
}

/** What was issued without internet is taken until the end of the 10th of the next month, in the country's time. */
function endOfTenthAfter(issuedAt: string, zone: string): string {
  const firstOfMonth = `${dayIn(zone, millisOf(issuedAt)).slice(0, 7)}-01`;
  const nextMonth = plusDays(firstOfMonth, 31).slice(0, 7);
  return iso(startOfDay(zone, `${nextMonth}-11`) - 1);
}
