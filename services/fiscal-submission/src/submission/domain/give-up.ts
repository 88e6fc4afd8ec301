import { DomainError } from '@svc/kernel';
import type { SubmissionEvent } from './events.ts';
import type { AuthorityError } from './facts.ts';
import { outcomeAt, type Calling, type State } from './state.ts';

/**
 * An operator takes a record of a chain for refused, so that those behind it are sent: the authority does not take it, and no answer ends it. Throws not_found,
 * invalid_state where nothing of it waits, no call about it has failed, or it may be registered.
 */
export function giveUp(at: string, state: State): SubmissionEvent[] {
  if (state.status === 'none') throw new DomainError('not_found', 'This document was never submitted.');
  const facts = outcomeAt(state, at);
  switch (state.status) {
    case 'pending':
      expectFailed(state);
      return [{ type: 'SubmissionRejected', data: { error: { ...refused(state.reported?.code), fixable: 'setup' }, ...facts } }];
    case 'cancelling':
      expectFailed(state);
      return [
        { type: 'CancellationRefused', data: { error: refused(state.failing?.code), cancellation: state.cancellation.sequence, ...facts } },
      ];
    case 'amending':
      expectFailed(state);
      return [{ type: 'AmendmentRefused', data: { error: refused(state.failing?.code), amendment: state.amendment.n, ...facts } }];
    default:
      throw new DomainError(
        'invalid_state',
        `It is ${state.status}: nothing of it waits that can be given up. What is in doubt is ended with POST /v1/invoices/{id}/resolve, or /v1/receipts/{id}/resolve.`,
      );
  }
}

/** What waits behind another record of its chain is taken once that one is out of the way. */
function expectFailed({ link, open, failures }: Pick<Calling, 'link' | 'open' | 'failures'>): void {
  if (link === null || open !== null)
    throw new DomainError('invalid_state', 'It is no record of a chain, or a call about it is under way: repeat this in a minute.');
  if (failures === 0)
    throw new DomainError(
      'invalid_state',
      'No call about it has failed: it waits for its turn in its chain. `svc admin submissions list --failing true` lists what the authority fails at.',
    );
}

const refused = (code: string | null | undefined): Omit<AuthorityError, 'fixable'> => ({
  code: code ?? 'given_up',
  message: 'The authority did not take this record, and the operator has given it up. Submit again once the cause is mended.',
});
