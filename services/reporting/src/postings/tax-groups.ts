import type { TaxBreakdown } from '@svc/contracts/document/totals';
import { currencyDecimals, decimal, numberText, round, toText, type Decimal } from '@svc/kernel';
import type { TaxGroup } from './posting.ts';

/** `rate`: the issuer's currency per unit of the document's; undefined: not known. */
interface Exchange {
  issuerCurrency: string | null;
  rate: string | undefined;
}

/** A document's tax groups by category, code and rate; groups that differ only in surcharge or in being retained are combined. */
export function taxGroups(breakdown: readonly TaxBreakdown[], { issuerCurrency, rate: exchange }: Exchange): TaxGroup[] {
  const groups = new Map<string, TaxGroup>();
  for (const row of breakdown) {
    const { category, code, base } = row;
    const rate = numberText(row.rate);
    const key = `${category} ${code} ${rate}`;
    const group = groups.get(key) ?? { category, code, rate, base: '0', tax: '0', retained: '0' };
    const borne = row.retained ? 'retained' : 'tax';
    groups.set(key, { ...group, base: added(group.base, numberText(base)), [borne]: added(group[borne], wholeOf(row)) });
  }
  if (issuerCurrency === null || exchange === undefined) return [...groups.values()];
  const places = currencyDecimals(issuerCurrency) ?? 2;
  const converted = (amount: string): string => toText(round(decimal(amount).times(exchange), places));
  const inIssuers = ({ base, tax }: TaxGroup) => (exchange === '1' ? { base, tax } : { base: converted(base), tax: converted(tax) });
  return [...groups.values()].map((group) => ({ ...group, issuer: inIssuers(group) }));
}

const wholeOf = ({ amount, surcharge }: TaxBreakdown): Decimal => decimal(numberText(amount)).plus(numberText(surcharge?.amount ?? 0));
const added = (before: string, more: string | Decimal): string => toText(decimal(before).plus(more));
