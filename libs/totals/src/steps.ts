import type { ExplanationStepName } from '@svc/contracts/invoice/preview';
import { decimal, ONE, toText, type Decimal } from '@svc/kernel';
import type { TaxRow } from './terms.ts';

/** A step as the calculation takes it. `calculation`: what `result` is before it is rounded; `R()` rounds within it. It is written only where the step is reported. */
export interface Step {
  step: ExplanationStepName;
  /** Of the document. */
  field: string;
  calculation: () => string;
  result: Decimal;
}
/** Gets every step. Called in the calculation itself, so that what is reported is what is done. */
export type OnStep = (step: Step) => void;

/** `n / per`: exact where a decimal is not. */
export const fraction = (n: Decimal, per: Decimal): string => (per === ONE ? toText(n) : `${n} / ${per}`);

interface RowOfSteps {
  row: TaxRow;
  /** In the breakdown. */
  n: number;
  /** The amounts that bear the tax, as `fraction` writes them. */
  worth: string;
  /** They include it. */
  included: boolean;
}

/** The steps of a row of the breakdown. */
export function rowSteps(onStep: OnStep, { row: { rate, base, amount, surcharge }, n, worth, included }: RowOfSteps): void {
  const field = `tax_breakdown.${n}`;
  const divisor = included ? `(100 + ${rate})` : '100';
  onStep({ step: 'tax', field: `${field}.amount`, calculation: () => `${worth} × ${rate} / ${divisor}`, result: decimal(amount) });
  const calculation = included ? `R(${worth}) − ${amount}` : worth;
  if (calculation !== base) onStep({ step: 'base', field: `${field}.base`, calculation: () => calculation, result: decimal(base) });
  if (!surcharge) return;
  const on = `${included ? base : worth} × ${surcharge.rate} / 100`;
  onStep({ step: 'surcharge', field: `${field}.surcharge.amount`, calculation: () => on, result: decimal(surcharge.amount) });
}
