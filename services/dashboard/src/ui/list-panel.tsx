import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { Failure } from './failure.tsx';
import type { ListSearch } from './list-search.ts';
import { Pager } from './pager.tsx';
import type { Meta } from './paging.ts';
import { Panel } from './panel.tsx';

interface ListPanelProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'empty'> {
  /** One page of the list, as it is read. */
  reading: { data: { data: readonly Row[]; meta: Meta } | undefined; error: Error | null; refetch: () => unknown };
  search: Pick<ListSearch<never>, 'toPage'>;
  isFiltered: boolean;
  /** Shown where the list has no rows without a filter. */
  none: ReactNode;
  /** Of a list that is a part of a page. */
  title?: string;
  /** What stands above the rows, as filters do, also where they cannot be read. */
  children?: ReactNode;
}

/** A page of a list with the way to the others, or why it cannot be read. */
export function ListPanel<Row extends object>({ reading, search, isFiltered, none, title, children, ...table }: ListPanelProps<Row>) {
  const { data, error, refetch } = reading;
  const failure = error && <Failure error={error} again={() => void refetch()} />;
  if (failure && title === undefined) return failure;
  return (
    <Panel title={title} flush>
      {children}
      {failure ?? (
        <>
          <DataTable {...table} rows={data?.data} empty={isFiltered ? <NoneFiltered /> : none} />
          <Pager meta={data?.meta} search={search} />
        </>
      )}
    </Panel>
  );
}

export const NoneFiltered = () => (
  <Empty icon="search" title={t('list.noneFiltered')}>
    {t('list.noneFilteredText')}
  </Empty>
);
