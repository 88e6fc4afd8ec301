import { Link } from '@tanstack/react-router';
import { documentAddress, kindOf } from '../../documents/documents.ts';
import { showAmount, showQuantity } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import type { Column } from '../../ui/data-table.tsx';
import { TimeIn } from '../../ui/time.tsx';
import classes from './plot.module.css';
import { figureOf, type ReportName, type Row, shapes, textOf } from './reports.ts';

const addressOf = (id: string): string => documentAddress(kindOf(id), id);

const methods = new Set(['cash', 'card', 'check', 'transfer', 'voucher', 'other']);

/** What a row is about, as text. */
export function nameOf(name: ReportName, row: Row): string {
  const { about } = shapes[name];
  if (about === 'tax') {
    const tax = t('items.tax', {
      category: `${textOf(row, 'category')} ${textOf(row, 'code')}`,
      rate: showQuantity(figureOf(row, 'rate') ?? '0'),
    });
    return [tax, textOf(row, 'customer_name')].filter(Boolean).join(', ');
  }
  if (about === 'number') return textOf(row, 'number') ?? '—';
  const id = textOf(row, about === 'key' ? 'key' : `${about}_id`);
  return (
    textOf(row, 'customer_name') ??
    textOf(row, 'product_name') ??
    (id === null ? t('reports.none') : methods.has(id) ? named('method', id) : id)
  );
}

function About({ name, row }: { name: ReportName; row: Row }) {
  const { about } = shapes[name];
  const [customer, product, document] = ['customer_id', 'product_id', 'document_id'].map((field) => textOf(row, field));
  const text = <bdi>{nameOf(name, row)}</bdi>;
  if (about === 'customer' && customer) return <Link to={`/app/customers/${customer}`}>{text}</Link>;
  if (about === 'product' && product) return <Link to={`/app/products/${product}`}>{text}</Link>;
  return about === 'number' && document ? <Link to={addressOf(document)}>{text}</Link> : text;
}

const amountOf = (row: Row, field: string): string => {
  const value = figureOf(row, field);
  return value === null ? '—' : showAmount(value, row.currency ?? '');
};
const countOf = (row: Row, field: string): string => {
  const value = figureOf(row, field);
  return value === null ? '—' : showQuantity(value);
};

const MOST_CITED = 20;

/** The documents that a row is made of. */
const Cited = ({ row }: { row: Row }) => (
  <span className={classes['cited']}>
    {row.cited?.slice(0, MOST_CITED).map(({ id, number }) => (
      <Link key={id} to={addressOf(id)}>
        {number ?? id}
      </Link>
    ))}
    {(row.cited?.length ?? 0) > MOST_CITED && <span>{t('reports.citedMore', { count: (row.cited?.length ?? 0) - MOST_CITED })}</span>}
  </span>
);

/** The columns of a report in the time zone of its issuer. `cite`: with the documents of each row. */
export function columnsOf(name: ReportName, zone: string, cite: boolean): Column<Row>[] {
  const { amounts, counts, about } = shapes[name];
  const numbering: Column<Row>[] = [
    { id: 'fate', header: t('reports.fate'), cell: (row) => named('fiscal.status', textOf(row, 'fate') ?? '') },
    { id: 'at', header: t('fact.issued'), cell: (row) => <TimeIn zone={zone} at={textOf(row, 'issued_at') ?? ''} /> },
  ];
  return [
    { id: 'about', header: t(`reports.about.${about}`), cell: (row) => <About name={name} row={row} /> },
    ...(about === 'number' ? numbering : []),
    ...(amounts.length > 0 ? [{ id: 'currency', header: t('form.currency'), cell: (row: Row) => row.currency ?? '—' }] : []),
    ...counts.map((field): Column<Row> => ({
      id: field,
      header: named('reports.field', field),
      align: 'end',
      cell: (row) => countOf(row, field),
    })),
    ...amounts.map((field): Column<Row> => ({
      id: field,
      header: named('reports.field', field),
      align: 'end',
      cell: (row) => amountOf(row, field),
    })),
    ...(cite ? [{ id: 'cited', header: t('reports.cited'), cell: (row: Row) => <Cited row={row} /> }] : []),
  ];
}

/** The totals of a currency in one line. */
export const totalOf = (name: ReportName, row: Row): string => {
  const { amounts, counts } = shapes[name];
  const figures = [...counts.map((field) => [field, countOf(row, field)]), ...amounts.map((field) => [field, amountOf(row, field)])];
  return [row.currency, ...figures.map(([field = '', shown]) => `${named('reports.field', field)} ${shown}`)].filter(Boolean).join(' · ');
};
