import type { Resource } from '../api/types.ts';
import { type Decimal, isSame, isZero, negated, showAmount, showMoney, showQuantity } from '../format/numbers.ts';
import { t } from '../texts/t.ts';
import type { Invoice } from './documents.ts';
import classes from './items.module.css';

type Figures = 'currency' | 'subtotal' | 'discount_total' | 'charge_total' | 'retained_total' | 'total' | 'tax_breakdown';
type Due = Pick<Invoice, 'amount_paid' | 'amount_credited' | 'amount_due' | 'payment_status'>;
/** A document, or one that is still a form. */
type Totalled = Pick<Invoice, Figures> & { type?: string } & (Due | { payment_status?: never; amount_due?: Decimal });

/** From the subtotal to the total: discounts, charges and each tax; below it what is retained, paid and credited, and what is due. */
export function Totals({ document }: { document: Totalled }) {
  const { currency, subtotal, discount_total: discounts, charge_total: charges, total } = document;
  const amount = (value: Decimal): string => showAmount(value, currency);
  const due = document.payment_status ? document : undefined;
  // A preview has it, too; nothing is due of a credit note, nor of what is no document yet, nor any more.
  const toPay = document.payment_status === null || document.type === 'credit_note' ? undefined : document.amount_due;
  const [added, retained] = [false, true].map((isRetained) => document.tax_breakdown.filter((row) => row.retained === isRetained));
  return (
    <dl className={classes['totals']}>
      {!isZero(discounts) && <Total name={t('totals.discounts')} value={amount(negated(discounts))} />}
      {!isZero(charges) && <Total name={t('totals.charges')} value={amount(charges)} />}
      <Total name={t('totals.subtotal')} value={amount(subtotal)} />
      {added?.map((row) => (
        <Total key={keyOf(row)} name={nameOf(row, currency)} value={amount(row.amount)} />
      ))}
      <Total name={t('totals.total')} value={showMoney(total, currency)} isSum />
      {retained?.map((row) => (
        <Total key={keyOf(row)} name={t('totals.retained', { tax: nameOf(row, currency) })} value={amount(negated(row.amount))} />
      ))}
      {due && !isZero(due.amount_paid) && <Total name={t('totals.paid')} value={amount(negated(due.amount_paid))} />}
      {due && !isZero(due.amount_credited) && <Total name={t('totals.credited')} value={amount(negated(due.amount_credited))} />}
      {toPay !== undefined && !isSame(toPay, total) && <Total name={t('totals.due')} value={showMoney(toPay, currency)} isSum />}
    </dl>
  );
}

type Breakdown = Resource<'TaxBreakdown'>;
const keyOf = ({ category, code, rate, retained, surcharge }: Breakdown): string =>
  [category, code, rate, retained, surcharge?.rate].join(' ');

/** A surcharge is part of the tax, and named beside it. */
function nameOf({ category, rate, base, surcharge }: Breakdown, currency: string): string {
  const values = { category, rate: showQuantity(rate), base: showAmount(base, currency) };
  if (!surcharge) return t('totals.tax', values);
  return t('totals.taxSurcharge', { ...values, surcharge: showQuantity(surcharge.rate), amount: showAmount(surcharge.amount, currency) });
}

const Total = ({ name, value, isSum }: { name: string; value: string; isSum?: boolean }) => (
  <div className={classes['total']} data-sum={isSum}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
