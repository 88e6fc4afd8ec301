import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { showDay } from '../../format/dates.ts';
import { showMoney, showQuantity } from '../../format/numbers.ts';
import { useSeesPersonalData } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import type { ListSearch } from '../../ui/list-search.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { columnsOf, nameOf, totalOf } from './columns.tsx';
import { Plot } from './plot.tsx';
import classes from './plot.module.css';
import { figureOf, queryOf, type ReportFilterName, type ReportName, type Row, shapes } from './reports.ts';
import { useCsv } from './use-csv.ts';
import { useProductNames } from './use-product-names.ts';
import { Waiting } from './waiting.tsx';

const PAGE = 100;

/** One report: its plot, its rows, its totals, and the file of it. */
export function ReportView({ name, search }: { name: ReportName; search: ListSearch<ReportFilterName> }) {
  const { console, env } = useConsole();
  const { filters, page } = search;
  const query = queryOf(name, filters);
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: [env, 'reports', name, query, page],
    queryFn: ({ signal }) =>
      answered(
        console.GET('/console/v1/reports/{report}', {
          params: { path: { report: name }, query: { ...query, page, per_page: PAGE } },
          signal,
        }),
      ),
    placeholderData: (before, of) => (of?.queryKey[2] === name ? before : undefined),
  });
  const csv = useCsv();
  const isOfProducts = name === 'products' || filters.group_by === 'product';
  const rows = useProductNames(data?.data as readonly Row[] | undefined, isOfProducts);
  const seesPersonalData = useSeesPersonalData();
  const isCited = filters.cite === 'true';
  const zone = data?.time_zone ?? 'UTC';
  const columns = useMemo(() => columnsOf(name, zone, isCited), [name, zone, isCited]);
  if (error) return <Failure error={error} again={() => void refetch()} />;
  return (
    <Panel
      title={t(`reports.name.${name}`)}
      about={data && periodOf(data.from, data.to, data.as_of, shapes[name].isAsOf)}
      actions={
        seesPersonalData && (
          <Button size="compact-sm" variant="default" loading={csv.isRunning} onClick={() => csv.run({ name, query })}>
            {t('reports.csv')}
          </Button>
        )
      }
      flush
    >
      {csv.error && <Failure error={csv.error} again={() => csv.run({ name, query })} />}
      {!data && <Waiting reason={failureReason} />}
      {rows && <Plots name={name} rows={rows} />}
      <div className={classes['wide']}>
        <DataTable
          label={t(`reports.name.${name}`)}
          columns={columns}
          rows={rows?.map((row, n) => ({ ...row, n }))}
          idOf={(row) => String((row as Row)['n'])}
          empty={<Empty icon="reports" title={t('reports.noRows')} />}
        />
      </div>
      {data && data.totals.length > 0 && (
        <div className={classes['totals']}>
          {(data.totals as readonly Row[]).map((row, n) => (
            <p key={row.currency ?? n}>{totalOf(name, row)}</p>
          ))}
        </div>
      )}
      <Pager meta={data?.meta} search={search} />
    </Panel>
  );
}

const periodOf = (from: string, to: string, asOf: string, isAsOf: boolean): string =>
  isAsOf ? t('reports.asOfDay', { day: showDay(asOf) }) : t('reports.period', { from: showDay(from), to: showDay(to) });

/** A plot for each currency: they are never added up. */
function Plots({ name, rows }: { name: ReportName; rows: readonly Row[] }) {
  const { plot } = shapes[name];
  if (plot === null || rows.length === 0) return null;
  const currencies = [...new Set(rows.map(({ currency }) => currency ?? ''))];
  return currencies.map((currency) => (
    <Plot
      key={currency}
      label={t('reports.plotOf', { what: t(`reports.field.${plot as 'total'}`), currency })}
      bars={rows
        .filter((row) => (row.currency ?? '') === currency)
        .map((row) => {
          const value = figureOf(row, plot) ?? '0';
          return { name: nameOf(name, row), height: Number(value), shown: currency ? showMoney(value, currency) : showQuantity(value) };
        })}
    />
  ));
}
