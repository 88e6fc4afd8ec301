import type { DocumentType } from '@svc/contracts/document/vocabulary';
import { decimal, sum, toText, ZERO, type Decimal, type Details } from '@svc/kernel';
import { kinds } from '../../document/domain/kinds.ts';
import { fractionIn, fractionText, negative, plus, zeroFraction, type Fraction } from '../../totals/fraction.ts';
import { portionOf, rowsOf, withRows, type Portion, type RowAmounts } from '../../totals/portions.ts';
import type { Terms, Totals } from '../../totals/terms.ts';

/** A credit note or corrective, as far as the invoice that it corrects depends on it. */
export interface Correction {
  /** Its id. */
  document: string;
  type: DocumentType;
  /** Which of its submissions: grows with each, so that what is told of an earlier one changes nothing. */
  attempt: number;
  /** Decimal text. */
  total: string;
  /** What it lowers the amount due by, where it is a credit note: total − retained. Decimal text. */
  net: string;
  /** Absent: reserved by release 0.1.0, or of a document with more rows than `MOST_ROWS`. */
  portion?: Portion;
}

/** What has more rows in its breakdown is never the rest of an invoice: it keeps its own rounding, so that the invoice's state stays small. */
const MOST_ROWS = 25;

/** `refused`: no room was left. `released`: it was refused, rejected or voided after it was reserved. */
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

/** What the submission `attempt` of a credit note or corrective with these totals takes of its original. */
export function correctionOf({ id, content, totals }: Noted, attempt: number): Correction {
  const { total, retained_total, tax_breakdown } = totals;
  const net = toText(decimal(total).minus(retained_total));
  const portion = tax_breakdown.length <= MOST_ROWS && { portion: portionOf(content, totals) };
  return { document: id, type: content.type, attempt, total, net, ...portion };
}

interface Corrected {
  content: CorrectionContent;
  totals: Totals;
  corrections?: Corrections;
}

export const isHeld = ({ status }: KnownCorrection): boolean => status === 'reserved' || status === 'applied';

const heldBy = ({ corrections = {} }: Pick<Corrected, 'corrections'>): KnownCorrection[] => Object.values(corrections).filter(isHeld);

/** It is corrected by what is registered or on its way. */
export const isCorrected = (invoice: Pick<Corrected, 'corrections'>): boolean => heldBy(invoice).length > 0;

/** What it lowers its original by, as a negative amount. A corrective that adds is credited by itself. */
const lowering = ({ type, total }: Pick<Correction, 'type' | 'total'>): Decimal => {
  const effect = decimal(total).times(String(kinds[type].effect));
  return effect.lte(ZERO) ? effect : ZERO;
};

/** What is left of an invoice: its total less what lowers it, `except` one correction. */
export function leftOf(invoice: Omit<Corrected, 'content'>, except: string): Decimal {
  const others = heldBy(invoice).filter(({ document }) => document !== except);
  return decimal(invoice.totals.total).plus(sum(others.map(lowering)));
}

/** Whether a correction fits into what is left. */
export function fits(invoice: Omit<Corrected, 'content'>, correction: Pick<Correction, 'document' | 'type' | 'total'>): boolean {
  const lower = lowering(correction);
  return ZERO.lte(lower) || ZERO.lte(leftOf(invoice, correction.document).plus(lower));
}

/**
 * The totals of a correction of this invoice. Where it takes the last of a row, before any rounding, it takes what others leave of the row's base and
 * tax, and what they leave of the total where it takes the last of all rows: so that parts of an invoice, each rounded by itself, add up to it.
 */
export function settledTotals(invoice: Corrected, { id, content, totals: own }: Noted): Totals {
  if (own.tax_breakdown.length > MOST_ROWS || invoice.totals.tax_breakdown.length > MOST_ROWS) return own;
  if (content.prices_include_tax !== invoice.content.prices_include_tax || !lowers({ type: content.type, total: own.total })) return own;
  const held = heldBy(invoice).filter((one) => one.document !== id && lowers(one));
  const whole = portionOf(invoice.content, invoice.totals);
  const taken = [...held, correctionOf({ id, content, totals: own }, 0)];
  const isLast = (key: string): boolean => {
    const exact = taken.map(({ type, portion }) => portion && signed(fractionIn(portion.exact[key] ?? '0'), type));
    return exact.every((one) => one !== undefined) && fractionText(exact.reduce(plus, zeroFraction)) === (whole.exact[key] ?? '0');
  };
  const rest = (of: (one: Pick<Correction, 'portion' | 'total'>) => string | undefined): string => {
    const others = sum(held.map((one) => decimal(of(one) ?? '0').times(taking(one.type))));
    return toText(
      decimal(of({ portion: whole, total: invoice.totals.total }) ?? '0')
        .minus(others)
        .times(taking(content.type)),
    );
  };
  const rows = Object.entries(rowsOf(own)).flatMap(([key, { surcharge }]) => {
    if (!isLast(key)) return [];
    const left: RowAmounts = {
      base: rest(({ portion }) => portion?.rows[key]?.base),
      amount: rest(({ portion }) => portion?.rows[key]?.amount),
      ...(surcharge !== undefined && { surcharge: rest(({ portion }) => portion?.rows[key]?.surcharge) }),
    };
    return [[key, left] as const];
  });
  const isAll = Object.keys(whole.exact).every(isLast);
  if (rows.length === 0 && !isAll) return own;
  const settled = withRows(content, own, Object.fromEntries(rows), isAll ? rest(({ total }) => total) : undefined);
  return lowers({ type: content.type, total: settled.total }) ? settled : own;
}

/** 1 for a credit note, which takes what it comes to; -1 for a corrective, which takes what it comes to below 0. */
const taking = (type: DocumentType): '1' | '-1' => (kinds[type].effect < 0 ? '1' : '-1');
const signed = (value: Fraction, type: DocumentType): Fraction => (kinds[type].effect < 0 ? value : negative(value));
const lowers = (correction: Pick<Correction, 'type' | 'total'>): boolean => lowering(correction).cmp(ZERO) < 0;

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
