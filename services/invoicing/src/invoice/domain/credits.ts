import type { DocumentType } from '@svc/contracts/document/vocabulary';
import { decimal, sum, toText, ZERO, type Decimal, type Details } from '@svc/kernel';
import { kinds } from '../../document/domain/kinds.ts';
import type { Portion } from '@svc/totals/portions';
import type { Terms, Totals } from '@svc/totals/terms';

/** A credit note or corrective, as far as the invoice that it corrects depends on it. */
export interface Correction {
  /** Its id. */
  document: string;
  type: DocumentType;
  /** Which of its submissions: grows with each, so that what is reported of an earlier one changes nothing. */
  attempt: number;
  /** Decimal text. */
  total: string;
  /** What it lowers the amount due by, where it is a credit note: total − retained. Decimal text. */
  net: string;
  /** Absent: the document has more rows than `MOST_ROWS`. */
  portion?: Portion;
}

/** What has more rows in its breakdown is never the rest of an invoice: it keeps its own rounding, so that the invoice's state stays small. */
export const MOST_ROWS = 25;

/** `refused`: not enough was left. `released`: it was refused, rejected or voided after it was reserved. */
export type KnownCorrection = Correction & ({ status: 'reserved' | 'applied' | 'released' } | { status: 'refused'; details: Details });

/** By the id of the correction: its last submission. */
export type Corrections = Readonly<Record<string, KnownCorrection>>;

/** A credit note or corrective as it is submitted. */
export interface Noted {
  id: string;
  content: CorrectionContent;
  /** By its own rounding. */
  totals: Totals;
}
type CorrectionContent = Omit<Terms, 'decimals'> & { type: DocumentType; currency: string };

/** What a correction comes to with regard to its original. */
export interface Settled {
  totals: Totals;
  /** Absent: it has more rows than `MOST_ROWS`. */
  portion?: Portion;
}

/** What the submission `attempt` of a credit note or corrective takes of its original. */
export function correctionOf({ id, content: { type } }: Noted, { totals, portion }: Settled, attempt: number): Correction {
  const { total, retained_total } = totals;
  const net = toText(decimal(total).minus(retained_total));
  return { document: id, type, attempt, total, net, ...(portion && { portion }) };
}

export interface Corrected {
  content: CorrectionContent;
  totals: Totals;
  corrections?: Corrections;
}

export const isHeld = ({ status }: KnownCorrection): boolean => status === 'reserved' || status === 'applied';

export const heldBy = ({ corrections = {} }: Pick<Corrected, 'corrections'>): KnownCorrection[] =>
  Object.values(corrections).filter(isHeld);

/** It is corrected by what is registered or on its way. */
export const isCorrected = (invoice: Pick<Corrected, 'corrections'>): boolean => heldBy(invoice).length > 0;

/** What it lowers its original by, as a negative amount. A corrective that adds is credited by itself. */
export const lowering = ({ type, total }: Pick<Correction, 'type' | 'total'>): Decimal => {
  const effect = decimal(total).times(String(kinds[type].effect));
  return effect.lte(ZERO) ? effect : ZERO;
};

/** What is left of an invoice: its total less what lowers it, `except` one correction. */
export function leftOf(invoice: Omit<Corrected, 'content'>, except: string): Decimal {
  const others = heldBy(invoice).filter(({ document }) => document !== except);
  return decimal(invoice.totals.total).plus(sum(others.map(lowering)));
}

/** Whether a correction fits into what is left. */
export const fits = (invoice: Omit<Corrected, 'content'>, correction: Pick<Correction, 'document' | 'type' | 'total'>): boolean =>
  ZERO.lte(leftOf(invoice, correction.document).plus(lowering(correction)));

/** Of its registered credit notes: Σ (total − retained). Decimal text. */
export const amountCredited = ({ corrections = {} }: Pick<Corrected, 'corrections'>): string =>
  toText(
    sum(
      Object.values(corrections)
        .filter(({ status, type }) => status === 'applied' && !kinds[type].isOwed)
        .map(({ net }) => decimal(net)),
    ),
  );

/** Events that may follow in the invoice's stream for the corrections that it holds. */
export const eventsToCome = (invoice: Pick<Corrected, 'corrections'>): number => heldBy(invoice).length * 2;
