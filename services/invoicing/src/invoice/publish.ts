import { topics } from '@svc/contracts/events/envelope';
import { InvoiceCreatedV1, InvoiceFailedV1, InvoiceSubmittedV1, InvoiceUpdatedV1, InvoiceVoidedV1 } from '@svc/contracts/invoice/events';
import { CancellationRequestedV1, RegistrationRequestedV1 } from '@svc/contracts/registration/requested';
import type { Publication, Publisher } from '@svc/event-bus/publishing/publisher';
import { versionAt } from '@svc/kernel';
import type { InvoiceEvent } from './domain/events.ts';
import { evolve } from './domain/evolve.ts';
import type { InvoiceState, Submitting, Voiding } from './domain/state.ts';
import { invoiceEvents } from './domain/upcast.ts';
import { invoiceResource, type InvoiceResource } from './resource.ts';

/** undefined: private, the change shows with the next one. */
const publicTypes: Record<InvoiceEvent['type'], string | undefined> = {
  InvoiceDrafted: InvoiceCreatedV1.type,
  InvoiceRevised: InvoiceUpdatedV1.type,
  InvoiceSubmissionRequested: undefined,
  InvoiceSubmissionRefused: undefined,
  InvoiceNumbered: InvoiceUpdatedV1.type,
  InvoiceResubmitted: InvoiceUpdatedV1.type,
  InvoiceRegistered: InvoiceSubmittedV1.type,
  InvoiceRejected: InvoiceFailedV1.type,
  InvoiceDelayed: InvoiceUpdatedV1.type,
  InvoiceVoidRequested: InvoiceUpdatedV1.type,
  InvoiceVoided: InvoiceVoidedV1.type,
  InvoiceVoidRefused: InvoiceUpdatedV1.type,
};

export const invoicePublisher: Publisher<InvoiceState | null> = {
  category: 'invoice',
  initialState: null,
  evolve: (state, recorded) => evolve(state, invoiceEvents.decode(recorded)),
  publish(recorded, state) {
    const { type } = invoiceEvents.decode(recorded);
    const publicType = publicTypes[type];
    if (publicType === undefined || state === null) return [];
    const document = invoiceResource(state, versionAt(recorded.revision));
    return [{ topic: topics.invoice, type: publicType, data: document }, ...toAuthority(type, state, document)];
  },
};

/** What fiscal submission is to do about it. */
function toAuthority(type: InvoiceEvent['type'], state: InvoiceState, document: InvoiceResource): Publication[] {
  if (type === 'InvoiceNumbered' || type === 'InvoiceResubmitted') {
    return [{ topic: topics.registration, type: RegistrationRequestedV1.type, data: registration(state as Submitting, document) }];
  }
  if (type !== 'InvoiceVoidRequested') return [];
  return [{ topic: topics.registration, type: CancellationRequestedV1.type, data: cancellation(state as Voiding, document) }];
}

/** Of a test document alone: in a live one it is plain metadata. */
const simulate = ({ livemode, content }: InvoiceState): string | null => (livemode ? null : (content.metadata['simulate'] ?? null));

function registration(state: Submitting, document: InvoiceResource) {
  const { id, issue, round, content, parties, late_reason } = state;
  return {
    document_id: id,
    kind: 'invoice',
    round,
    authority: parties.issuer.authority,
    ...issue,
    series: content.series,
    issue_date: content.issue_date,
    document,
    ...parties,
    simulate: simulate(state),
    late_reason,
  };
}

function cancellation(state: Voiding, document: InvoiceResource) {
  const { id, issue, fiscal, parties } = state;
  const { reason, requested_at } = state.void;
  const { number } = issue;
  return {
    document_id: id,
    kind: 'invoice',
    authority: fiscal.authority,
    number,
    reason,
    requested_at,
    document,
    issuer: parties.issuer,
    simulate: simulate(state),
  };
}
