import type { Authority } from '../../submission/authority.ts';
import { readAnswer } from './answer.ts';
import { sandboxRecord, type SandboxRecord, signedBy } from './record.ts';

const DEADLINE_MS = 10_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** The adapter of the sandbox authority: JSON over HTTP, responses signed with Ed25519, cancellation by annulment, no deadline. */
export function sandboxAuthority(baseUrl: string): Authority<SandboxRecord> {
  const registrations = `${baseUrl}/sandbox/v1/registrations`;
  return {
    id: 'sandbox',
    origin: baseUrl,
    isSimulated: true,
    needs: {
      ...{ chain: false, signature: 'none', tls: 'none', query: true, cancel: true },
      ...{ batch: 1, deadline: false, settle: 0, answer: 'at_once' },
    },
    deadlineMs: DEADLINE_MS,
    check: ({ issuer_tax_id }) =>
      issuer_tax_id === ''
        ? {
            code: 'issuer_tax_id_missing',
            message: 'The issuer has no tax id. Set it with PATCH /issuer and submit again.',
            fixable: 'setup',
          }
        : null,
    deadline: () => null,
    record: (request) => sandboxRecord(request, `${baseUrl}/sandbox/v1/verify`),
    complete: (record) => record,
    render: (_of, { record, sha256 }, { taxpayer, id, sentAt, repeated }) =>
      signedBy(taxpayer, {
        kind: 'submit',
        id,
        method: 'POST',
        url: registrations,
        headers: JSON_TYPE,
        body: JSON.stringify({ message_id: id, sent_at: sentAt, repeated, record_sha256: sha256, record }),
      }),
    query: ({ number, issuer_tax_id }, { record_sha256 }, { taxpayer, id }) =>
      signedBy(taxpayer, {
        kind: 'query',
        id,
        method: 'GET',
        url: `${registrations}?${new URLSearchParams({ document_number: number, issuer_tax_id, record_sha256 })}`,
        headers: { 'x-message-id': id },
      }),
    cancel: ({ number, issuer_tax_id }, { code, record_sha256 }, { reason }, { taxpayer, id, sentAt }) =>
      signedBy(taxpayer, {
        kind: 'cancel',
        id,
        method: 'POST',
        url: `${baseUrl}/sandbox/v1/cancellations`,
        headers: JSON_TYPE,
        body: JSON.stringify({ message_id: id, sent_at: sentAt, document_number: number, issuer_tax_id, code, record_sha256, reason }),
      }),
    read: readAnswer,
  };
}
