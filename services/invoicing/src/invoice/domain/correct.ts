import type { DocumentType } from '@svc/contracts/document/vocabulary';
import { toText, type Details } from '@svc/kernel';
import { withRows } from '@svc/totals/portions';
import type { Totals } from '@svc/totals/terms';
import { kinds } from '../../document/domain/kinds.ts';
import { publicStatus } from './actions.ts';
import { correctionOf, fits, isHeld, leftOf, type Correction, type KnownCorrection, type Noted } from './credits.ts';
import type { InvoiceEvent } from './events.ts';
import { settled } from './settled.ts';
import { isNumbered, type InvoiceState } from './state.ts';

/** On the invoice that is corrected. `isFull`: its stream takes no more corrections. */
export type CorrectionCommand = Reservation | Settlement;
interface Reservation {
  type: 'reserve_correction';
  at: string;
  /** Which of its submissions. */
  attempt: number;
  /** Its totals by its own rounding. */
  note: Noted & { content: { customer_id: string } };
  isFull: boolean;
}
interface Settlement {
  type: 'apply_correction' | 'release_correction';
  at: string;
  document: string;
  attempt: number;
}

/** The invoice that is corrected, as the store has it now. */
export interface Original {
  /** null: there is none. */
  state: InvoiceState | null;
  /** Its stream takes no more corrections. */
  isFull: boolean;
}

/** A correction, as far as it has to suit its original. */
export interface Correcting {
  document: string;
  type: DocumentType;
  customer_id: string;
  currency: string;
  /** Of the correction; absent: its amount is not compared. */
  total?: string;
}

/** Why the invoice `original` cannot be corrected so, by field; {} where it can, and for what corrects nothing. null: there is no such invoice. */
export function correctionProblems(original: InvoiceState | null, correcting: Correcting): Details {
  if (kinds[correcting.type].corrects.length === 0) return {};
  const problem = problemOf(original, correcting);
  return problem === undefined ? {} : { corrects: [problem] };
}

function problemOf(original: InvoiceState | null, { document, type, customer_id, currency, total }: Correcting): string | undefined {
  if (original === null) return 'There is no such invoice. Check the id, and that the key is of the same environment.';
  const { content } = original;
  if (!kinds[type].corrects.includes(content.type)) return `is a ${content.type}, which a ${type} does not correct.`;
  if (original.reversal) return 'carries out the void of another invoice: that one is void, and nothing is left to correct.';
  if (original.status !== 'submitted') return `is ${publicStatus(original)}: only a submitted invoice can be corrected.`;
  if (content.customer_id !== customer_id) return `is of another customer: send customer_id ${content.customer_id}.`;
  if (content.currency !== currency) return `is in ${content.currency}: send the same currency.`;
  if (total === undefined || fits(original, { document, type, total })) return undefined;
  return `has ${toText(leftOf(original, document))} ${currency} left to be credited, and this comes to ${total}.`;
}

export const streamIsFull: Details = { corrects: ['was corrected as often as it may be. Issue a new invoice.'] };

const knownOf = (state: InvoiceState, document: string): KnownCorrection | undefined =>
  isNumbered(state) ? state.corrections?.[document] : undefined;

/** The answer to a submission of a correction stays; it is given once. The totals that it was given with are in the answer. */
export function reserve({ at, attempt, note, isFull }: Reservation, state: InvoiceState): InvoiceEvent[] {
  const { id: document, content } = note;
  if (!isNumbered(state)) throw new TypeError('an invoice is corrected once it has its number');
  if ((knownOf(state, document)?.attempt ?? 0) >= attempt) return [];
  const { portion, ...correction } = correctionOf(note, settled(state, note), attempt);
  const details = { ...correctionProblems(state, { ...content, document, total: correction.total }), ...(isFull ? streamIsFull : {}) };
  const data = { at, ...correction };
  return Object.keys(details).length === 0
    ? [{ type: 'InvoiceCorrectionReserved', data: { ...data, ...(portion && { portion }) } }]
    : [{ type: 'InvoiceCorrectionRefused', data: { ...data, details } }];
}

/** An outcome of an earlier submission, or a repeated one, changes nothing. */
export function settle({ type, at, document, attempt }: Settlement, state: InvoiceState): InvoiceEvent[] {
  const known = knownOf(state, document);
  if (known?.attempt !== attempt) return [];
  const data = { at, document, attempt };
  if (type === 'apply_correction') return known.status === 'reserved' ? [{ type: 'InvoiceCorrectionApplied', data }] : [];
  return isHeld(known) ? [{ type: 'InvoiceCorrectionReleased', data }] : [];
}

/** What the original answered to a submission: undefined where it holds the amounts for it. */
export function refusalOf(
  original: InvoiceState | null,
  { document, attempt }: Pick<Correction, 'document' | 'attempt'>,
): Details | undefined {
  const known = original === null ? undefined : knownOf(original, document);
  if (known?.attempt !== attempt) return { corrects: ['took another submission of this document meanwhile.'] };
  if (known.status === 'refused') return known.details;
  return isHeld(known) ? undefined : { corrects: ['no longer has enough left for this submission.'] };
}

/** The totals with which a reserved correction is submitted. `note`: as it was when it asked. */
export function reservedTotals(original: InvoiceState | null, { id, content, totals }: Noted): Totals {
  const known = original === null ? undefined : knownOf(original, id);
  return known?.portion ? withRows(content, totals, known.portion.rows, known.total) : totals;
}

/** The totals of a note with regard to the invoice that it corrects, if there is one. `note`: with its own. */
export const settledBy = (original: InvoiceState | null, note: Noted): Totals =>
  original !== null && isNumbered(original) ? settled(original, note).totals : note.totals;
