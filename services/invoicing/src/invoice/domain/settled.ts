import type { DocumentType } from '@svc/contracts/document/vocabulary';
import { decimal, sum, toText, ZERO, type Decimal } from '@svc/kernel';
import { kinds } from '../../document/domain/kinds.ts';
import { portionOf, withRows, type Portion, type RowAmounts } from '@svc/totals/portions';
import type { Totals } from '@svc/totals/terms';
import { fits, heldBy, lowering, MOST_ROWS, type Corrected, type Correction, type Noted, type Settled } from './credits.ts';

/** Amounts that differ by less are the same: more than what `exact` is rounded by, less than any amount. */
const SAME = decimal('1e-9');

/**
 * A correction of this invoice. Where it takes the last of a row, before any rounding or as rounded, it takes what others leave of the row's base and tax,
 * and what they leave of the total where it takes the last of all rows. Of a row of which something stays it takes what it rounds to, but no more than is
 * left. So parts of an invoice, each rounded by itself, add up to it, however many they are.
 */
export function settled(invoice: Corrected, { id, content, totals: own }: Noted): Settled {
  if (own.tax_breakdown.length > MOST_ROWS) return { totals: own };
  const asked = portionOf(content, own);
  const byItself = { totals: own, portion: asked };
  const { type } = content;
  if (invoice.totals.tax_breakdown.length > MOST_ROWS || !lowers({ type, total: own.total })) return byItself;
  const held = heldBy(invoice).filter((one) => one.document !== id && lowers(one));
  if (held.some(({ portion }) => !portion)) return byItself;
  const whole = portionOf(invoice.content, invoice.totals);
  const restOf = (of: (portion: Portion | undefined) => string | undefined): Decimal =>
    decimal(of(whole) ?? '0').minus(sum(held.map((one) => decimal(of(one.portion) ?? '0').times(taking(one.type)))));
  const left = new Map(
    Object.keys(whole.exact).map((key): [string, Row] => [
      key,
      {
        exact: restOf((portion) => portion?.exact[key]),
        base: restOf((portion) => portion?.rows[key]?.base),
        amount: restOf((portion) => portion?.rows[key]?.amount),
        surcharge: restOf((portion) => portion?.rows[key]?.surcharge),
      },
    ]),
  );
  const mine = (key: string): Row => {
    const of = (amount = '0'): Decimal => decimal(amount).times(taking(type));
    const { base, amount, surcharge } = asked.rows[key] ?? {};
    return { exact: of(asked.exact[key]), base: of(base), amount: of(amount), surcharge: of(surcharge) };
  };
  const taken = new Map(
    Object.keys(asked.rows).flatMap((key) => {
      const own = mine(key);
      const rest = left.get(key);
      const row = rest ? rowTaken(own, rest) : own;
      return row === own ? [] : [[key, row] as const];
    }),
  );
  if (taken.size === 0) return byItself;
  // What took of rows that the invoice has not is in its total alone.
  const isOfIts = (portion: Portion | undefined): boolean => Object.keys(portion?.exact ?? {}).every((key) => left.has(key));
  const isAll =
    [asked, ...held.map(({ portion }) => portion)].every(isOfIts) &&
    [...left].every(([key, { base }]) => base.eq((taken.get(key) ?? mine(key)).base));
  const restOfTotal = decimal(invoice.totals.total).minus(sum(held.map((one) => decimal(one.total).times(taking(one.type)))));
  const rows = Object.fromEntries([...taken].map(([key, row]) => [key, textsOf(row, taking(type))]));
  const totals = withRows(content, own, rows, isAll ? toText(restOfTotal.times(taking(type))) : undefined);
  const isFitting = ({ total }: Totals): boolean => fits(invoice, { document: id, type, total });
  return lowers({ type, total: totals.total }) && (isFitting(totals) || !isFitting(own))
    ? { totals, portion: { ...asked, rows: { ...asked.rows, ...rows } } }
    : byItself;
}

/** As amounts that lower the invoice. */
type Row = Record<'exact' | 'base' | 'amount' | 'surcharge', Decimal>;

const isNone = (exact: Decimal): boolean => exact.cmp(SAME) < 0 && ZERO.minus(exact).cmp(SAME) < 0;

function rowTaken(own: Row, left: Row): Row {
  if (isNone(left.exact.minus(own.exact)) || own.base.eq(left.base)) return left;
  if (!isWithin(own.exact, left.exact)) return own;
  const upTo = (amount: Decimal, most: Decimal): Decimal => (isWithin(amount, most) ? amount : most);
  return {
    exact: own.exact,
    base: upTo(own.base, left.base),
    amount: upTo(own.amount, left.amount),
    surcharge: upTo(own.surcharge, left.surcharge),
  };
}

/** Between 0 and `end`, both included. */
const isWithin = (value: Decimal, end: Decimal): boolean =>
  ZERO.lte(end) ? ZERO.lte(value) && value.lte(end) : value.lte(ZERO) && end.lte(value);

const textsOf = ({ base, amount, surcharge }: Row, sign: '1' | '-1'): RowAmounts => ({
  base: toText(base.times(sign)),
  amount: toText(amount.times(sign)),
  surcharge: toText(surcharge.times(sign)),
});

/** 1 for a credit note, which takes what it comes to; -1 for a corrective, which takes what it comes to below 0. */
const taking = (type: DocumentType): '1' | '-1' => (kinds[type].effect < 0 ? '1' : '-1');
const lowers = (correction: Pick<Correction, 'type' | 'total'>): boolean => lowering(correction).cmp(ZERO) < 0;
