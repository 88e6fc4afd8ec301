import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { listedEvery } from '../../documents/asking.ts';
import { customerName, documentAddress, type Invoice, newInvoice, paymentOf, toneOf } from '../../documents/documents.ts';
import { showMoney } from '../../format/numbers.ts';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { NoneFiltered } from '../../ui/list-panel.tsx';
import type { ListSearch } from '../../ui/list-search.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Day } from '../../ui/time.tsx';
import type { InvoiceFilterName } from './invoices.ts';
import { Choose, SelectionContext } from './selection.tsx';
import { SubmitChosen } from './submit-chosen.tsx';

const shown: readonly Column<Invoice>[] = [
  { id: 'number', header: t('fact.number'), cell: (row) => row.number ?? t('invoices.draft') },
  { id: 'customer', header: t('fact.customer'), cell: (row) => customerName(row) ?? '—' },
  {
    id: 'status',
    header: t('fact.status'),
    cell: ({ status }) => <Badge tone={toneOf(status)}>{named('status', status)}</Badge>,
  },
  {
    id: 'payment',
    header: t('fact.payment'),
    cell: (row) => <Payment status={paymentOf(row)} />,
  },
  { id: 'issued', header: t('fact.issued'), cell: ({ issue_date: day }) => (day ? <Day day={day} /> : '—') },
  { id: 'due', header: t('fact.due'), narrow: 'hide', cell: ({ due_date: day }) => (day ? <Day day={day} /> : '—') },
  { id: 'total', header: t('fact.total'), align: 'end', cell: ({ total, currency }) => showMoney(total, currency) },
];

const Payment = ({ status }: { status: ReturnType<typeof paymentOf> }) =>
  status ? <Badge tone={toneOf(status)}>{named('payment', status)}</Badge> : '—';

const withChoice: readonly Column<Invoice>[] = [
  ...shown,
  { id: 'choose', header: '', align: 'end', cell: (row) => <Choose invoice={row} /> },
];

export function InvoiceList({ search }: { search: ListSearch<InvoiceFilterName> }) {
  const { console, env } = useConsole();
  const { filters, page } = search;
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'invoices', 'list', filters, page],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices', { params: { query: { ...queryOf(filters), page } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: listedEvery,
  });
  const canSubmit = useCan()('invoices:submit');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  if (error) return <Failure error={error} again={() => void refetch()} />;
  return (
    <Panel flush>
      {canSubmit && data && <SubmitChosen selection={{ chosen, toggle }} choose={(ids) => setChosen(new Set(ids))} rows={data.data} />}
      <SelectionContext value={{ chosen, toggle }}>
        <DataTable
          label={t('nav.invoices')}
          columns={canSubmit ? withChoice : shown}
          rows={data?.data}
          idOf={({ id }) => id}
          linkOf={({ id }) => documentAddress('invoice', id)}
          empty={isFiltered ? <NoneFiltered /> : <None env={env} />}
        />
      </SelectionContext>
      <Pager meta={data?.meta} search={search} />
    </Panel>
  );
}

const listOf = <Value extends string>(text: string | undefined): Value[] | undefined => text?.split(',').map((one) => one.trim() as Value);

/** The interface judges the values: an address may have been typed. */
const queryOf = ({ status, payment_status: paid, fiscal_status: fiscal, type, customer_id: customer, sort, ...texts }: Filters) => ({
  ...texts,
  ...{ status: listOf<Resource<'InvoiceStatus'>>(status), payment_status: listOf<Resource<'PaymentStatus'>>(paid) },
  ...{ fiscal_status: listOf<Resource<'FiscalStatus'>>(fiscal), type: listOf<Resource<'DocumentType'>>(type) },
  ...{ customer_id: listOf(customer), sort: sort as Resource<'DocumentSort'> | undefined },
});
type Filters = ListSearch<InvoiceFilterName>['filters'];

function None({ env }: { env: 'test' | 'live' }) {
  const can = useCan();
  return (
    <Empty icon="invoice" title={t('invoices.none')} action={can('invoices:write') && <Link to={newInvoice}>{t('invoice.new')}</Link>}>
      {t(`invoices.noneText.${env}`)}
    </Empty>
  );
}
