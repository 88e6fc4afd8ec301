import type { PublicEvent } from '@svc/contracts/events/envelope';
import type { Uid } from '@svc/kernel';

const at = '2026-01-16T12:00:00.000Z';

/** A public event of fiscal submission. `name`: `document-registered`, `cancellation-refused` and so on. */
export function outcomeEvent(of: { id: Uid; account: string; subject: string }, name: string, data: object = {}): PublicEvent {
  const { id, account, subject } = of;
  const kind = subject.startsWith('rcp') ? 'receipt' : 'invoice';
  return {
    specversion: '1.0',
    id: `evt_${id}`,
    source: 'fiscal-submission',
    type: `fiscal.${name}.v1`,
    subject,
    time: at,
    datacontenttype: 'application/json',
    env: 'test',
    account,
    sequence: 1,
    data: { document_id: subject, kind, authority: 'sandbox', attempts: 1, last_attempt_at: at, ...data },
  };
}

export const registration = { round: 1, code: 'CODE-1', issuer_code: null, registered_at: at, verification_url: null, late: false };
export const rejection = (fixable: string) => ({ round: 1, error: { code: 'E1', message: 'no', fixable }, rejected_at: at });
export const voidRefusal = (cancellation: number) => ({ error: { code: 'V1', message: 'not now' }, refused_at: at, cancellation });
export const cancellation = { cancelled_at: '2026-01-16T12:00:05.000Z', cancellation: 5 };
