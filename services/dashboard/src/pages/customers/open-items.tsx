import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { documentAddress } from '../../documents/documents.ts';
import { showMoney } from '../../format/numbers.ts';
import { useSeesPersonalData } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Day } from '../../ui/time.tsx';
import { customersKey } from './customers.ts';
import classes from './open-items.module.css';

const columns: readonly Column<Resource<'StatementItem'>>[] = [
  { id: 'number', header: t('fact.number'), cell: ({ number }) => number },
  { id: 'issued', header: t('fact.issued'), narrow: 'hide', cell: ({ issue_date: day }) => <Day day={day} /> },
  { id: 'due', header: t('fact.due'), cell: ({ due_date: day }) => <Day day={day} /> },
  { id: 'total', header: t('fact.total'), align: 'end', narrow: 'hide', cell: ({ total, currency }) => showMoney(total, currency) },
  { id: 'open', header: t('customers.open'), align: 'end', cell: ({ due, currency }) => showMoney(due, currency) },
];

const MOST = 100;

/** What a customer owes today, by invoice and in all, and the statement to send. */
export function OpenItems({ id }: { id: string }) {
  const { console, env } = useConsole();
  const path = { id };
  const seesPersonalData = useSeesPersonalData();
  const { data, error, refetch } = useQuery({
    queryKey: [...customersKey(env), id, 'statement'],
    queryFn: ({ signal }) =>
      answered(console.GET('/console/v1/customers/{id}/statement', { params: { path, query: { per_page: MOST } }, signal })),
  });
  // As a file the answer is a link.
  const file = useSaving({
    run: (_: undefined) =>
      answered(console.GET('/console/v1/customers/{id}/statement', { params: { path, query: { format: 'csv' } } })) as Promise<unknown>,
    done: (answer) => location.assign((answer as { url: string }).url),
  });
  return (
    <Panel
      title={t('customers.openItems')}
      about={
        data &&
        (data.totals.length === 0 ? t('payments.settled') : data.totals.map(({ due, currency }) => showMoney(due, currency)).join(', '))
      }
      actions={
        seesPersonalData && (
          <Button size="compact-sm" variant="default" loading={file.isRunning} onClick={() => file.run(undefined)}>
            {t('customers.statement')}
          </Button>
        )
      }
      flush
    >
      {(error ?? file.error) && <Failure error={(error ?? file.error) as Error} again={() => void refetch()} />}
      {!error && (
        <DataTable
          label={t('customers.openItems')}
          columns={columns}
          rows={data?.data}
          idOf={({ document_id: document }) => document}
          linkOf={({ document_id: document }) => documentAddress('invoice', document)}
          empty={<p className={classes['none']}>{t('customers.nothingOpen')}</p>}
        />
      )}
      {data && data.meta.total > MOST && <p className={classes['none']}>{t('customers.openMore', { count: data.meta.total - MOST })}</p>}
    </Panel>
  );
}
