import { simulationProblem } from '@svc/contracts/document/simulation';
import { dayIn, type Details, detailsOf, invalid, DomainError, millisOf, sameJson } from '@svc/kernel';
import { dueBeforeIssue, type Numbering } from '../../numbering/domain/numbering.ts';
import { besidesPlace } from '../../issuer/domain/point-of-sale.ts';
import { checkedTotals } from '@svc/totals/totals';
import type { Totals } from '@svc/totals/terms';
import { totalProblems } from '../../document/domain/kinds.ts';
import { amountsOf, countryProblems, takesBack } from '../../document/domain/country-rules.ts';
import { checkWindow } from '../../document/domain/next-operation.ts';
import { correctedOf } from '../../document/domain/state.ts';
import { parted, type FrozenCustomer, type FrozenIssuer } from '../../document/domain/parties.ts';
import { checkAvailable } from './actions.ts';
import { correctionProblems, settledBy, streamIsFull, type Original } from './correct.ts';
import type { InvoiceEvent, Settles } from './events.ts';
import { isNumbered, type InvoiceContent, type InvoiceState } from './state.ts';

/** What a submission needs from outside the invoice, as it is at the time. */
export interface SubmissionPreconditions {
  /** undefined: no authority is set. */
  issuer: FrozenIssuer | undefined;
  /** What the issuer lacks whatever its authority, and what of unit, till and operator it does not have. */
  missing: Details;
  /** undefined: deleted. */
  customer: FrozenCustomer | undefined;
  /** Of a draft; a refusal where its series cannot take it. Under the number it has: null. */
  numbering: Numbering | DomainError | null;
  /** The invoice that it corrects; null where it corrects none, none that exists, or one that has decided already. */
  original: Original | null;
}

export type SubmissionCommand = { at: string } & (
  | { type: 'submit'; preconditions: SubmissionPreconditions; late_reason: string | null }
  /** The answer of the original to a rejected correction: it holds the amounts, or `details` say why not. */
  | { type: 'resubmit'; attempt: number; preconditions: SubmissionPreconditions }
  | { type: 'refuse_resubmission'; attempt: number; details: Details }
  /** The totals with which the original has reserved this submission. */
  | { type: 'settle_totals'; attempt: number; totals: Totals }
);
type Of<Type extends SubmissionCommand['type']> = Extract<SubmissionCommand, { type: Type }>;

export const asks = (state: InvoiceState, request: number): boolean => state.status === 'being_numbered' && state.request === request;

/** The invoice that a correction corrects is informed of the outcome. */
export const settles = ({ content: { corrects } }: InvoiceState): Settles => (corrects === null ? {} : { corrects });

export const changedTotals = (totals: Totals, state: InvoiceState): { totals?: Totals } =>
  totals === state.totals || sameJson(totals, state.totals) ? {} : { totals };

export function submit({ at, preconditions, late_reason }: Of<'submit'>, state: InvoiceState): InvoiceEvent[] {
  const { status } = state;
  if (status === 'being_numbered' || status === 'being_resubmitted' || status === 'submitting' || status === 'submitted') return [];
  checkAvailable(state, 'submit', 'Submission');
  const { issuer, customer, numbering, original } = preconditions;
  if (status === 'failed' && issuer) checkWindow({ at, authority: issuer.authority, issued_at: state.issue.issued_at, late_reason });
  const problems = { ...submissionProblems(state, preconditions, { at, late_reason }), ...simulationProblems(state) };
  // A draft may have been written under other rules, or before other corrections: it is issued under those of today.
  const own = status === 'draft' ? checkedTotals(state.content, [], problems, state) : state.totals;
  const totals = settledBy(original?.state ?? null, { ...state, totals: own });
  const all = { ...problems, ...limitProblems(original, state, totals) };
  if (!issuer || !customer || Object.keys(all).length > 0) throw invalid(all);
  const parties = { issuer, customer };
  if (status === 'failed' && state.content.corrects !== null) return [{ type: 'InvoiceResubmissionRequested', data: { at, late_reason } }];
  if (status === 'failed') return [{ type: 'InvoiceResubmitted', data: { at, round: state.round + 1, parties, late_reason } }];
  if (numbering === null) throw new TypeError('a draft is submitted with its numbering');
  const revised = changedTotals(totals, state);
  if (numbering instanceof DomainError) throw numbering;
  const { named, personal } = parted(customer);
  const corrects = original?.state;
  const corrected = corrects && isNumbered(corrects) ? { corrected: correctedOf(corrects) } : {};
  return [
    ...(revised.totals ? [{ type: 'InvoiceRevised' as const, data: { at, changes: {}, ...revised } }] : []),
    {
      type: 'InvoiceSubmissionRequested',
      data: { at, numbering, parties: { issuer, customer: named }, personal, late_reason, ...corrected },
    },
  ];
}

/** Only by the rounding of what is left of the original do they change: only the process manager requests it. */
export function settleTotals({ at, attempt, totals }: Of<'settle_totals'>, state: InvoiceState): InvoiceEvent[] {
  const isAsking = asks(state, attempt) || (state.status === 'being_resubmitted' && state.attempt === attempt);
  const changed = isAsking ? changedTotals(totals, state) : {};
  return changed.totals ? [{ type: 'InvoiceRevised', data: { at, changes: {}, ...changed } }] : [];
}

/** Under the number that it has, once the invoice that it corrects holds its amounts. */
export function resubmit({ at, attempt, preconditions }: Of<'resubmit'>, state: InvoiceState): InvoiceEvent[] {
  if (state.status !== 'being_resubmitted' || state.attempt !== attempt) return [];
  const { issuer, customer } = preconditions;
  const details = submissionProblems(state, preconditions, { at, late_reason: state.late_reason });
  if (!issuer || !customer || Object.keys(details).length > 0) return [refuseResubmission({ at, details }, state)];
  const { late_reason, round } = state;
  return [{ type: 'InvoiceResubmitted', data: { at, round: round + 1, parties: { issuer, customer }, late_reason } }];
}

export const refuseResubmission = ({ at, details }: { at: string; details: Details }, state: InvoiceState): InvoiceEvent => ({
  type: 'InvoiceResubmissionRefused',
  data: { at, details, ...settles(state) },
});

/** What keeps it from being submitted, before a number is spent. */
function submissionProblems(
  { content, totals }: InvoiceState,
  { issuer, missing, customer, numbering }: SubmissionPreconditions,
  { at, late_reason }: { at: string; late_reason: string | null },
): Details {
  const { type, items, issue_date: issued, due_date: due } = content;
  const bare = items.flatMap(({ description }, n) =>
    description === null ? [[`items.${n}.description`, ['is needed for submission.']] as const] : [],
  );
  const daysOf = ({ time_zone: zone }: NonNullable<typeof issuer>, number: typeof numbering) => {
    const today = dayIn(zone, millisOf(at));
    return { issue_date: issued ?? today, ...(number !== null && { numbered_on: today }) };
  };
  const judged = { ...content, late_reason, takes_back: takesBack(content, totals), amounts: amountsOf(totals) };
  return {
    ...totalProblems(type, totals.total, 'submission'),
    ...Object.fromEntries(bare),
    ...exemptionProblems(items),
    ...(issued && due && due < issued ? dueBeforeIssue(due, issued) : {}),
    ...(customer ? {} : { customer_id: ['names a customer that was deleted. Name another.'] }),
    ...missing,
    ...(issuer ? besidesPlace(countryProblems({ ...judged, ...daysOf(issuer, numbering) }, { issuer, numbering, customer }), missing) : {}),
  };
}

/** until 0.3: release 0.1.0 takes any text for a simulation. */
function simulationProblems({ livemode, content }: InvoiceState): Details {
  const problem = livemode ? undefined : simulationProblem(content.metadata);
  return problem ? detailsOf([problem]) : {};
}

/** Why the invoice that it corrects cannot be corrected by it now. */
const limitProblems = (original: Original | null, { id, content }: InvoiceState, { total }: Totals): Details =>
  original ? { ...(original.isFull ? streamIsFull : {}), ...correctionProblems(original.state, { document: id, ...content, total }) } : {};

/**
 * Lines whose VAT the customer owes (UNCL 5305: AE), where no line of that code names the reason, which an invoice has to (EN 16931: BR-AE-10;
 * Directive 2006/112/EC, article 226, 11a). That an exemption (E) has its reason is a rule of every country.
 */
function exemptionProblems(items: InvoiceContent['items']): Details {
  const reversed = items.flatMap(({ taxes }, n) =>
    taxes.flatMap((tax, m) =>
      tax.category === 'VAT' && tax.code === 'AE' ? [{ ...tax, field: `items.${n}.taxes.${m}.exemption_reason` }] : [],
    ),
  );
  if (reversed.some(({ exemption_reason }) => exemption_reason)) return {};
  return Object.fromEntries(reversed.map(({ field }) => [field, ['is needed: the customer owes the tax (AE). Send "Reverse charge".']]));
}
