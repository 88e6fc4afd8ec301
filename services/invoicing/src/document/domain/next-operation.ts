import type { ClosedOperations, NextStep } from '@svc/contracts/document/fiscal';
import type { DocumentKind } from '@svc/contracts/documents';
import { dayIn, DomainError, iso, millisOf, plusDays, startOfDay } from '@svc/kernel';
import { LATE_REASON, rulesOfAuthority } from '@svc/tax-rules';
import type { Fiscal } from './fiscal.ts';
import type { NumberedDocument } from './state.ts';

/**
 * The document as far as its next step depends on it. `isReversal`: it carries out the void of another one. `updated_at`: of its last event, and so the time
 * of the step, which is stored with it.
 */
export interface Underway extends Pick<NumberedDocument, 'status' | 'updated_at' | 'issue' | 'parties' | 'fiscal'> {
  late_reason?: string | null;
  isReversal: boolean;
  /** What can be done with it now. */
  available: readonly string[];
}

/** The code of a document that the authority would take no more. */
const DEADLINE_PASSED = 'deadline_passed';
/** VERI*FACTU does not know the recipient's number. */
const UNKNOWN_RECIPIENT = '2001';

const closed = (why: string): ClosedOperations => ({ submit: why, void: why, corrective: why, credit_note: why });
const UNDER_WAY = closed('Its registration is under way.');
const IN_DOUBT = closed('Whether it is registered is not known.');

/** The step that the law asks for; undefined where there is none. What is available is not closed, also where another step is better. */
export function nextStepOf(kind: DocumentKind, document: Underway): NextStep | undefined {
  const step = stepOf(kind, document);
  const actionOf = (operation: string): string => (kind === 'receipt' && operation === 'submit' ? 'resubmit' : operation);
  const shut = Object.entries(step?.closed ?? {}).filter(([operation]) => !document.available.includes(actionOf(operation)));
  return step && { ...step, closed: Object.fromEntries(shut) };
}

function stepOf(kind: DocumentKind, document: Underway): NextStep | undefined {
  const { status, fiscal } = document;
  if (status === 'voided') return undefined;
  switch (fiscal.status) {
    case 'pending':
      return { operation: 'wait', reason: waiting[fiscal.error?.fixable ?? 'nothing'] ?? waiting.nothing, closed: UNDER_WAY };
    case 'unknown':
      return { operation: 'wait', reason: 'Its outcome is not known yet. It is asked for, or sent again, by itself.', closed: IN_DOUBT };
    case 'needs_review':
      return {
        operation: 'wait',
        reason: `Find out at the authority what became of it, and send that by POST /v1/${kind}s/{id}/resolve.`,
        closed: IN_DOUBT,
      };
    case 'rejected':
      return document.isReversal || status === 'voiding' ? undefined : afterRejection(kind, document);
    case 'registered':
      return fiscal.warnings?.some(({ code }) => code === UNKNOWN_RECIPIENT) && status !== 'voiding' ? unknownRecipient : undefined;
    case 'cancelled':
      return undefined;
    default:
      return fiscal.status satisfies never;
  }
}

const waiting: Record<'nothing' | 'data' | 'credentials' | 'setup', string> = {
  nothing: 'It goes on by itself.',
  data: 'It goes on by itself.',
  credentials: 'It waits for a valid certificate: PUT /v1/fiscal-credentials. Then it goes on by itself.',
  setup: 'It waits for what the error names to be set up. Then it goes on by itself.',
};

const unknownRecipient: NextStep = {
  operation: 'credit_note',
  reason: 'The authority does not know the tax id of the customer. Issue a credit note, then issue it anew with the right tax id.',
  closed: { submit: 'It is registered already.', void: 'A void is meant for what never reached its customer.' },
};

const REJECTED = 'It is not registered.';
const notRegistered: ClosedOperations = { corrective: REJECTED, credit_note: REJECTED };

function afterRejection(kind: DocumentKind, document: Underway): NextStep {
  const { fiscal, issue, parties, updated_at, late_reason = null } = document;
  const last = lateUntil(parties.issuer.authority, issue.issued_at, LATE_REASON);
  if (fiscal.error?.code !== DEADLINE_PASSED) {
    const step = mended(kind, fiscal);
    return step.operation === 'submit' && isOver(last, updated_at) ? byHand : step;
  }
  return last === undefined || late_reason === LATE_REASON || isOver(last, updated_at) ? byHand : withoutInternet(last);
}

/** What the error asks for. */
function mended(kind: DocumentKind, fiscal: Fiscal): NextStep {
  const submit = kind === 'receipt' ? 'resubmit it' : 'submit it again';
  switch (fiscal.error?.fixable) {
    case 'credentials':
      return {
        operation: 'submit',
        reason: `Set a valid certificate by PUT /v1/fiscal-credentials, then ${submit}.`,
        closed: notRegistered,
      };
    case 'setup':
      return {
        operation: 'submit',
        reason: `Set up what the error names, such as by PATCH /v1/issuer, then ${submit}.`,
        closed: notRegistered,
      };
    default:
      return kind === 'receipt'
        ? {
            operation: 'void',
            reason: 'Its data cannot be changed: void it and issue it anew.',
            closed: { ...notRegistered, submit: 'Its data cannot be changed.' },
          }
        : { operation: 'submit', reason: 'Correct it by PATCH, then submit it again: it keeps its number.', closed: notRegistered };
  }
}

const ENDED = 'The authority takes it no more by this interface.';
const byHand: NextStep = {
  operation: 'manual_upload',
  reason: `${ENDED} Report it in the way that the authority names.`,
  closed: { ...notRegistered, submit: ENDED },
};

/** `last`: when the last window closes, that of what was issued without internet. */
const withoutInternet = (last: string): NextStep => ({
  operation: 'submit',
  reason: `If it was issued without internet, send late_reason ${LATE_REASON} until ${last}; else, and afterwards, report it in the way that the authority names.`,
  closed: notRegistered,
});

/** What is to be submitted again, at `at`: to which authority, and why it is late. */
interface Again {
  at: string;
  authority: string;
  issued_at: string;
  late_reason: string | null;
}

/** Throws invalid_state, with the step that is left, where the authority would take it no more: a round of it would be rejected at once. */
export function checkWindow({ at, authority, issued_at, late_reason }: Again): void {
  const end = lateUntil(authority, issued_at, late_reason);
  if (!isOver(end, at)) return;
  const last = lateUntil(authority, issued_at, LATE_REASON);
  const left = isOver(last, at)
    ? 'Report'
    : `If it was issued without internet, send late_reason ${LATE_REASON} until ${last}; else report`;
  throw new DomainError(
    'invalid_state',
    `The authority took it until ${end}. ${left} it in the way that the authority names (manual_upload).`,
  );
}

const isOver = (end: string | undefined, at: string): boolean => end !== undefined && at > end;

const DAY_MS = 86_400_000;

type Submitted = Pick<NumberedDocument, 'status' | 'issue' | 'parties' | 'fiscal'> & { late_reason?: string | null };

/** When its authority stops taking it by the reason for which it is late (ISO 8601). undefined: it sets no end, or the document is registered or void. */
export function deadlineOf({ status, issue, parties, fiscal, late_reason = null }: Submitted): string | undefined {
  const isEnded = status === 'voided' || fiscal.status === 'registered' || fiscal.status === 'cancelled';
  return isEnded ? undefined : lateUntil(parties.issuer.authority, issue.issued_at, late_reason);
}

/** The same of any document of the authority that was issued then. */
function lateUntil(authority: string, issuedAt: string, lateReason: string | null): string | undefined {
  const window = rulesOfAuthority(authority)?.window;
  if (!window) return undefined;
  if (lateReason !== LATE_REASON) return iso(millisOf(issuedAt) + window.days * DAY_MS);
  const { until_day: day, zone } = window.no_internet;
  const firstOfMonth = `${dayIn(zone, millisOf(issuedAt)).slice(0, 7)}-01`;
  const nextMonth = `${plusDays(firstOfMonth, 31).slice(0, 7)}-01`;
  return iso(startOfDay(zone, plusDays(nextMonth, day)) - 1);
}
