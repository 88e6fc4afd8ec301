import { type ColumnDef, FlexRender, tableFeatures, useTable } from '@tanstack/react-table';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { t } from '../texts/t.ts';
import classes from './data-table.module.css';

export interface Column<Row> {
  id: string;
  /** '' for a column of buttons. */
  header: string;
  cell: (row: Row) => ReactNode;
  /** `end`: figures and amounts. */
  align?: 'start' | 'end';
  /** Rows become cards in a narrow window; what is of less use is hidden there. */
  narrow?: 'hide';
  width?: number | string;
  /** Of one with `align: 'end'` whose texts may be long. */
  wraps?: true;
}

export interface DataTableProps<Row> {
  /** What the rows are, for who does not see the table. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are loaded. */
  rows: readonly Row[] | undefined;
  idOf: (row: Row) => string;
  /** Where a row leads: its first cell is a link over all of it. */
  linkOf?: (row: Row) => string;
  /** Shown instead of no rows. */
  empty: ReactNode;
}

const features = tableFeatures({});
const LOADING_ROWS = 6;
const noRows: never[] = [];

/** A table of one page of a list. */
export function DataTable<Row extends object>({ label, columns, rows, idOf, linkOf, empty }: DataTableProps<Row>) {
  const defs = useMemo(() => columns.map((column) => defOf(column)), [columns]);
  const table = useTable({ features, data: rows ?? noRows, columns: defs, getRowId: idOf });
  const byId = new Map(columns.map((column) => [column.id, column]));
  if (rows?.length === 0) return empty;
  return (
    // Its roles are said, since a narrow window lays it out as cards.
    <table className={classes['table']} role="table" aria-label={label} aria-busy={rows === undefined}>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} role="row">
            {group.headers.map((header) => (
              <th key={header.id} role="columnheader" scope="col" {...layoutOf(byId.get(header.column.id))}>
                {byId.get(header.column.id)?.header === '' ? (
                  <VisuallyHidden>{t('list.actions')}</VisuallyHidden>
                ) : (
                  <FlexRender header={header} />
                )}
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup">
        {rows === undefined && <Loading columns={columns} />}
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} role="row" className={linkOf && classes['linked']}>
            {row.getAllCells().map((cell, n) => {
              const content = <FlexRender cell={cell} />;
              const column = byId.get(cell.column.id);
              return (
                <td key={cell.id} role="cell" data-label={column?.header} {...layoutOf(column)}>
                  {n === 0 && linkOf ? (
                    <Link to={linkOf(row.original)} className={classes['link']}>
                      {content}
                    </Link>
                  ) : (
                    content
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const defOf = <Row extends object>({ id, header, cell }: Column<Row>): ColumnDef<typeof features, Row> => ({
  id,
  header,
  cell: ({ row }) => cell(row.original),
});

const layoutOf = (column: Pick<Column<never>, 'align' | 'narrow' | 'width' | 'wraps'> | undefined) => ({
  'data-align': column?.align,
  'data-narrow': column?.narrow,
  'data-wraps': column?.wraps,
  style: column?.width === undefined ? undefined : { width: column.width },
});

const Loading = <Row,>({ columns }: { columns: readonly Column<Row>[] }) => (
  <>
    {Array.from({ length: LOADING_ROWS }, (_, n) => (
      <tr key={n} role="row">
        {columns.map(({ id, align, narrow }, at) => (
          <td key={id} role="cell" data-align={align} data-narrow={narrow}>
            {at === 0 && n === 0 && <VisuallyHidden>{t('list.loading')}</VisuallyHidden>}
            <Skeleton height={12} width={at === 0 ? '70%' : '45%'} display="inline-block" />
          </td>
        ))}
      </tr>
    ))}
  </>
);
