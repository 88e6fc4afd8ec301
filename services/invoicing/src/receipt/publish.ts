import { topics } from '@svc/contracts/events/envelope';
import { ReceiptCreatedV1, ReceiptUpdatedV1, ReceiptVoidedV1 } from '@svc/contracts/receipt/events';
import { CancellationRequestedV1, RegistrationRequestedV1 } from '@svc/contracts/registration/requested';
import type { Publication, Publisher } from '@svc/event-bus/publishing/publisher';
import { versionAt } from '@svc/kernel';
import type { ReceiptEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import { isNumbered, type NumberedReceipt, type ReceiptState } from './domain/state.ts';
import { receiptEvents } from './domain/upcast.ts';
import { receiptResource, receiptVersion, type ReceiptResource } from './resource.ts';

const publicTypes: Record<Exclude<ReceiptEvent['type'], 'ReceiptRequested' | 'ReceiptRefused'>, string> = {
  ReceiptIssued: ReceiptCreatedV1.type,
  ReceiptResubmitted: ReceiptUpdatedV1.type,
  ReceiptRegistered: ReceiptUpdatedV1.type,
  ReceiptRejected: ReceiptUpdatedV1.type,
  ReceiptDelayed: ReceiptUpdatedV1.type,
  ReceiptVoidRequested: ReceiptUpdatedV1.type,
  ReceiptVoided: ReceiptVoidedV1.type,
  ReceiptVoidRefused: ReceiptUpdatedV1.type,
};

export const receiptPublisher: Publisher<ReceiptState | null> = {
  category: 'receipt',
  initialState: null,
  evolve: (state, recorded) => evolve(state, receiptEvents.decode(recorded)),
  publish(recorded, state) {
    const { type } = receiptEvents.decode(recorded);
    if (type === 'ReceiptRequested' || type === 'ReceiptRefused' || !isNumbered(state)) return [];
    const document = receiptResource(state, receiptVersion(versionAt(recorded.revision)));
    return [{ topic: topics.receipt, type: publicTypes[type], data: document }, ...toAuthority(type, state, document)];
  },
};

/** What fiscal submission is to do about it. A wish to void is handed on when the receipt is registered, whichever comes last. */
function toAuthority(type: ReceiptEvent['type'], state: NumberedReceipt, document: ReceiptResource): Publication[] {
  if (type === 'ReceiptIssued' || type === 'ReceiptResubmitted') {
    return [{ topic: topics.registration, type: RegistrationRequestedV1.type, data: registration(state, document) }];
  }
  const isLast = type === 'ReceiptVoidRequested' || type === 'ReceiptRegistered';
  if (!isLast || state.status !== 'voiding' || state.fiscal.status !== 'registered') return [];
  return [{ topic: topics.registration, type: CancellationRequestedV1.type, data: cancellation(state, document) }];
}

/** Of a test document alone: in a live one it is plain metadata. */
const simulate = ({ livemode, content }: NumberedReceipt): string | null => (livemode ? null : (content.metadata['simulate'] ?? null));

const registration = (state: NumberedReceipt, document: ReceiptResource) => ({
  document_id: state.id,
  kind: 'receipt',
  round: state.round,
  authority: state.parties.issuer.authority,
  ...state.issue,
  series: state.content.series,
  document,
  ...state.parties,
  simulate: simulate(state),
  late_reason: null,
});

const cancellation = (state: Extract<NumberedReceipt, { status: 'voiding' }>, document: ReceiptResource) => ({
  document_id: state.id,
  kind: 'receipt',
  authority: state.fiscal.authority,
  number: state.issue.number,
  reason: state.void.reason,
  requested_at: state.void.requested_at,
  document,
  issuer: state.parties.issuer,
  simulate: simulate(state),
});
