import type { Day, Recorded } from '@svc/kernel';
import { isBeingReversed } from '../../document/domain/outcome.ts';
import { unnumbered, type ReversalEnd } from '../../document/domain/reversal.ts';
import type { InvoiceEvent, Settles } from './events.ts';
import { attemptOf, isNumbered, type InvoiceState } from './state.ts';

/** What is reported to the invoice that is corrected: the outcome of a submission, or of the corrective by which it is voided. */
export type Report = { type: 'apply_correction' | 'release_correction'; attempt: number } | ({ type: 'end_reversal' } & ReversalEnd);

/** `corrects`: the invoice that is corrected. */
export type InvoiceStep =
  | { do: 'take_number' }
  /** The invoice that is corrected reserves what the correction takes of it, or refuses. Then the correction is numbered or submitted again, or refused. */
  | { do: 'reserve'; corrects: string; attempt: number }
  | { do: 'report'; corrects: string; report: Report }
  | { do: 'reverse' };

/** A caller waits for what comes of its submission. */
export const isAsking = ({ status }: InvoiceState): boolean => status === 'being_numbered' || status === 'being_resubmitted';

/** Once the corrected invoice has a report, nothing is stored in the correction: it is due again at each look, and changes nothing. */
export function dueSteps(state: InvoiceState): InvoiceStep[] {
  const { corrects } = state.content;
  if (state.status === 'being_numbered' && (corrects === null || state.reversal)) return [{ do: 'take_number' }];
  if (corrects !== null && (state.status === 'being_numbered' || state.status === 'being_resubmitted'))
    return [{ do: 'reserve', corrects, attempt: attemptOf(state) }];
  const report = state.reversal ? reversalReport(state) : submissionReport(state);
  return [
    ...(isNumbered(state) && isBeingReversed(state) ? [{ do: 'reverse' as const }] : []),
    ...(corrects !== null && report ? [{ do: 'report' as const, corrects, report }] : []),
  ];
}

const SUBMISSIONS: Partial<Record<InvoiceState['status'], 'apply_correction' | 'release_correction'>> = {
  draft: 'release_correction',
  submitted: 'apply_correction',
  voiding: 'apply_correction',
  failed: 'release_correction',
  voided: 'release_correction',
};

/** Of a correction that was submitted; undefined while its outcome is not known. */
function submissionReport(state: InvoiceState): Report | undefined {
  const attempt = attemptOf(state);
  const type = attempt > 0 ? SUBMISSIONS[state.status] : undefined;
  return type && { type, attempt };
}

/** Of a corrective that carries out a void; undefined while its outcome is not known. */
function reversalReport(state: InvoiceState): Report | undefined {
  switch (state.status) {
    case 'submitted':
      return { type: 'end_reversal', error: null, issue_date: state.content.issue_date as Day };
    case 'failed': {
      const { code = 'rejected', message = 'The corrective was rejected.' } = state.fiscal.error ?? {};
      return { type: 'end_reversal', error: { code, message } };
    }
    case 'voided':
      return { type: 'end_reversal', error: unnumbered('refused' in state && state.refused ? state.refused : {}) };
    default:
      return undefined;
  }
}

/** The corrective of a void is a document of its own, whose events say how far it is. */
export function afterEvent({ type, data }: Pick<Recorded, 'type' | 'data'>): 'open' | 'done' | undefined {
  const isReported = (data as Settles).corrects !== undefined;
  switch (type as InvoiceEvent['type']) {
    case 'InvoiceSubmissionRequested':
    case 'InvoiceResubmissionRequested':
    case 'InvoiceReversalRequested':
      return 'open';
    case 'InvoiceSubmissionRefused':
    case 'InvoiceResubmissionRefused':
    case 'InvoiceVoided':
      return isReported ? 'open' : 'done';
    case 'InvoiceRegistered':
    case 'InvoiceRejected':
      return isReported ? 'open' : undefined;
    case 'InvoiceNumbered':
    case 'InvoiceResubmitted':
    case 'InvoiceReversalRefused':
      return 'done';
    default:
      return undefined;
  }
}
