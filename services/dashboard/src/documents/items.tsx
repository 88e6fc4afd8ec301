import type { Resource } from '../api/types.ts';
import { isZero, showAmount, showPrice, showQuantity } from '../format/numbers.ts';
import { t } from '../texts/t.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Panel } from '../ui/panel.tsx';
import type { Document } from './documents.ts';
import classes from './items.module.css';
import { Totals } from './totals.tsx';

type Item = Resource<'Item'>;
type Row = Item & { n: number };

const taxesOf = ({ taxes }: Item): string =>
  taxes
    .map(({ category, rate, retained }) => t(retained ? 'items.retained' : 'items.tax', { category, rate: showQuantity(rate) }))
    .join(', ') || '—';

const columnsOf = (currency: string): readonly Column<Row>[] => [
  { id: 'what', header: t('items.what'), cell: (row) => <What item={row} currency={currency} /> },
  { id: 'quantity', header: t('items.quantity'), align: 'end', cell: ({ quantity }) => showQuantity(quantity) },
  { id: 'price', header: t('items.price'), align: 'end', cell: ({ unit_price: price }) => showPrice(price, currency) },
  { id: 'tax', header: t('items.taxes'), align: 'end', wraps: true, cell: taxesOf },
  { id: 'amount', header: t('items.amount', { currency }), align: 'end', cell: ({ amount }) => showAmount(amount, currency) },
];

function What({ item, currency }: { item: Item; currency: string }) {
  const { discount_amount: discount, charge_amount: charge } = item;
  return (
    <>
      {item.description ?? '—'}
      {!isZero(discount) && <span className={classes['about']}>{t('items.discount', { amount: showAmount(discount, currency) })}</span>}
      {!isZero(charge) && <span className={classes['about']}>{t('items.charge', { amount: showAmount(charge, currency) })}</span>}
    </>
  );
}

/** The lines of a document and what they add up to. */
export const Items = ({ document }: { document: Document }) => (
  <Panel title={t('items.title')} about={t(document.prices_include_tax ? 'items.gross' : 'items.net')} flush>
    <DataTable
      label={t('items.title')}
      columns={columnsOf(document.currency)}
      rows={document.items.map((item, n) => ({ ...item, n }))}
      idOf={({ n }) => String(n)}
      empty={null}
    />
    <Totals document={document} />
  </Panel>
);
