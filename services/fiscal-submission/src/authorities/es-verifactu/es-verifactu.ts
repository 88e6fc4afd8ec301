import { createHash } from 'node:crypto';
import { iso, millisOf } from '@svc/kernel';
import type { Authority, Batch, Envelope, Message } from '../../submission/authority.ts';
import type { ChainLink } from '../../chain/domain/link.ts';
import type { SentRecord } from '../../submission/domain/facts.ts';
import { annulmentLink, annulmentRecord } from './annulment.ts';
import { isFlawed, isOfSystem, readSending, takenAt } from './answer.ts';
import { isOfContent } from './fault.ts';
import { readFound } from './found.ts';
import { verificationUrl } from './huella.ts';
import { altaLink, altaRecord, draftOf, esDraft, installationOf, type EsDraft, type Producer } from './record.ts';
import { referenceOf, referenceText } from './reference.ts';
import { LISTING_BOUNDS, listingOf, readListing } from './listing.ts';
import { originFor } from './organization.ts';
import { queryOf, saysLate, sendingOf } from './sending.ts';

const DEADLINE_MS = 10_000;
const MOST_RECORDS = 1_000;
/** The authority's clock may differ by 240 s: what is older when it is sent says that it is late. */
const FRESH_MS = 180_000;
const NIF = /^[0-9A-Z][0-9]{7}[0-9A-Z]$/;
const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';

export interface EsVerifactuOptions {
  /** Origin of the service, such as https://prewww1.aeat.es. */
  origin: string;
  /** Origin of the page that checks an invoice. */
  page: string;
  producer: Producer;
  /** Who may have issued the certificate of its TLS, in PEM; absent: as the machine trusts. */
  anchors?: readonly string[];
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const lateAfter = (at: string): string => iso(millisOf(at) + FRESH_MS);

/** The adapter of Spain's VERI*FACTU: record design 1.0, service document 1.0.3, validations 1.2.2. */
export function esVerifactu({ origin, page, producer, anchors }: EsVerifactuOptions): Authority<EsDraft> {
  const message = (kind: Message['kind'], id: string, body: string): Message => ({
    ...{ kind, id, method: 'POST', url: `${origin}${PATH}`, body },
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
  });
  const sending = (kind: Message['kind'], records: readonly SentRecord[], { id, sentAt }: Envelope): Message => {
    const isLate = records.some((record) => isLateAt(record, sentAt));
    const body = sendingOf(
      referenceOf(records[0]?.reference),
      records.map(({ record }) => record),
      isLate,
    );
    return message(kind, id, body);
  };
  const batch: Batch = {
    // The header names the issuer for all of them.
    group: (record, sentAt) => `${isLateAt(record, sentAt) ? 'late' : 'fresh'} ${referenceOf(record.reference).name}`,
    render: (records, envelope) => sending('submit', records, envelope),
    read({ body }, ours, response) {
      const sent = ours.map(({ reference }) => referenceOf(reference));
      const { lines, wait, ...whole } = readSending(sent, response, saysLate(body));
      return { results: lines, waitMs: wait === null ? null : wait * 1_000, ...whole };
    },
  };
  const sentOf = (draft: EsDraft, link: ChainLink): SentRecord => {
    const record = altaRecord(draft, link, producer);
    return { record, sha256: sha256(record), late_after: lateAfter(link.at), reference: referenceIn(draft, link) };
  };
  return {
    id: 'es-verifactu',
    origin,
    needs: {
      ...{ chain: true, signature: 'none', tls: 'client_certificate', query: true, cancel: true },
      ...{ batch: MOST_RECORDS, deadline: false, settle: 0, answer: 'at_once' },
    },
    originFor: (certificate) => originFor(origin, certificate),
    ...(anchors && { anchors }),
    isDefect: (codes) => codes.some((code) => isFlawed(code) || isOfSystem(code) || isOfContent(code)),
    deadlineMs: DEADLINE_MS,
    check: ({ issuer_tax_id }) =>
      NIF.test(issuer_tax_id)
        ? null
        : {
            code: 'issuer_tax_id',
            message: 'The issuer’s tax id is no NIF. Set it with PATCH /issuer and submit again.',
            fixable: 'setup',
          },
    deadline: () => null,
    record: esDraft,
    chain: (request) => ({ installation: installationOf(request), taxId: request.issuer.tax_id ?? '' }),
    link: altaLink,
    complete(draft, { link }) {
      if (!link) throw new TypeError('the record is one of a chain');
      const verification_url = verificationUrl(page, draft.of);
      return { ...sentOf(draft, link), issuer_code: link.hash, verification_url, issued_at: draft.issued_at, late_reason: null };
    },
    amendments: {
      draft: ({ source }) => draftOf(source, 'amendment'),
      record: (draft, link, wasRefused) => sentOf(wasRefused ? draftOf(draft.source, 'amendment after refusal') : draft, link),
    },
    cancellations: {
      link: ({ reference }, previous, at) => annulmentLink(referenceOf(reference), previous, at),
      record({ reference, wasRefused = false }, link) {
        const of = referenceOf(reference);
        const record = annulmentRecord(of, link, { producer, wasRefused });
        const own = referenceText({ ...of, installation: link.installation ?? of.installation, huella: link.hash, operation: 'Anulacion' });
        return { record, sha256: sha256(record), late_after: lateAfter(link.at), reference: own };
      },
    },
    batch,
    listing: {
      ...LISTING_BOUNDS,
      reference: (draft: EsDraft) => referenceIn(draft, { hash: '' }),
      render: (asked) => message('query', '', listingOf(asked)),
      read: readListing,
    },
    render: (_of, record, envelope) => sending('submit', [record], envelope),
    query: (_of, { reference }, { id }) => message('query', id, queryOf(referenceOf(reference))),
    cancel(_of, _registration, { record }, envelope) {
      if (!record) throw new TypeError('the annulment is a record of the chain');
      return sending('cancel', [record], envelope);
    },
    read(sent, ours, response) {
      if (sent.kind === 'query') return readFound(ours, response);
      const [result] = batch.read(sent, [ours], response).results;
      return result ?? { kind: 'unknown', error: { code: 'no_line', message: 'The answer has no line about this record.' } };
    },
    saidAt: takenAt,
  };
}

function referenceIn(
  { of, name, zone, month, ...draft }: EsDraft,
  { hash, installation }: Pick<ChainLink, 'hash' | 'installation'>,
): string {
  const { nif, number, day } = of;
  const own = { installation: installation ?? draft.installation, huella: hash, operation: 'Alta' as const };
  return referenceText({ nif, number, day, month, name, zone, ...own });
}

const isLateAt = ({ late_after }: SentRecord, at: string): boolean => at > late_after;
