import type { Resource } from '../api/types.ts';
import { type Decimal, isSame, isZero, negated, showAmount, showMoney, showQuantity } from '../format/numbers.ts';
import { t } from '../texts/t.ts';
import type { Invoice } from './documents.ts';
import classes from './items.module.css';

type Figures = 'currency' | 'subtotal' | 'discount_total' | 'charge_total' | 'retained_total' | 'total' | 'tax_breakdown';
type Due = Pick<Invoice, 'amount_paid' | 'amount_credited' | 'amount_due' | 'payment_status'>;
/** A document, or one that is still a form. */
type Totalled = Pick<Invoice, Figures> & (Due | { payment_status?: never });

/** From the subtotal to the total: discounts, charges, each tax, and what was paid and credited. */
export function Totals({ document }: { document: Totalled }) {
  const { currency, subtotal, discount_total: discounts, charge_total: charges, retained_total: retained, total } = document;
  const amount = (value: Decimal): string => showAmount(value, currency);
  const due = document.payment_status ? document : undefined;
  return (
    <dl className={classes['totals']}>
      {!isZero(discounts) && <Total name={t('totals.discounts')} value={amount(negated(discounts))} />}
      {!isZero(charges) && <Total name={t('totals.charges')} value={amount(charges)} />}
      <Total name={t('totals.subtotal')} value={amount(subtotal)} />
      {document.tax_breakdown.map((row) => (
        <Total key={keyOf(row)} name={nameOf(row, currency)} value={amount(row.retained ? negated(row.amount) : row.amount)} />
      ))}
      <Total name={t('totals.total')} value={showMoney(total, currency)} isSum />
      {!isZero(retained) && <Total name={t('totals.retained')} value={amount(negated(retained))} />}
      {due && !isZero(due.amount_paid) && <Total name={t('totals.paid')} value={amount(negated(due.amount_paid))} />}
      {due && !isZero(due.amount_credited) && <Total name={t('totals.credited')} value={amount(negated(due.amount_credited))} />}
      {due && !isSame(due.amount_due, total) && <Total name={t('totals.due')} value={showMoney(due.amount_due, currency)} isSum />}
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
