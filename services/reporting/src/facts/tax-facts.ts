import type { TaxBreakdown } from '@svc/contracts/document/totals';
import { decimal, numberText, toText, type Decimal } from '@svc/kernel';
import type { TaxFact } from './fact.ts';

/** A document's tax groups by category, code and rate; groups that differ only in surcharge or in being retained are combined. */
export function taxFacts(breakdown: readonly TaxBreakdown[]): TaxFact[] {
  const groups = new Map<string, TaxFact>();
  for (const row of breakdown) {
    const { category, code, base } = row;
    const rate = numberText(row.rate);
    const key = `${category} ${code} ${rate}`;
    const group = groups.get(key) ?? { category, code, rate, base: '0', tax: '0', retained: '0' };
    const borne = row.retained ? 'retained' : 'tax';
    groups.set(key, { ...group, base: added(group.base, numberText(base)), [borne]: added(group[borne], wholeOf(row)) });
  }
  return [...groups.values()];
}

const wholeOf = ({ amount, surcharge }: TaxBreakdown): Decimal => decimal(numberText(amount)).plus(numberText(surcharge?.amount ?? 0));
const added = (before: string, more: string | Decimal): string => toText(decimal(before).plus(more));
