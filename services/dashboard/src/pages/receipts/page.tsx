import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { listedEvery } from '../../documents/asking.ts';
import { customerName, documentAddress, type Receipt, registrations, toneOf } from '../../documents/documents.ts';
import { exportsAddress } from '../../documents/jobs.ts';
import { showMoney } from '../../format/numbers.ts';
import { useCan, useSeesPersonalData } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { IssueDay } from '../../ui/time.tsx';

const statuses = ['issued', 'voiding', 'voided'] as const;
const sorts = ['created_at', '-number', 'number', '-total', 'total'] as const;

const columns: readonly Column<Receipt>[] = [
  { id: 'number', header: t('fact.number'), cell: ({ number }) => number },
  { id: 'customer', header: t('fact.customer'), cell: (row) => customerName(row) ?? '—' },
  { id: 'status', header: t('fact.status'), cell: ({ status }) => <Badge tone={toneOf(status)}>{named('status', status)}</Badge> },
  {
    id: 'fiscal',
    header: t('fiscal.title'),
    cell: ({ fiscal }) => (fiscal ? <Badge tone={toneOf(fiscal.status)}>{named('fiscal.status', fiscal.status)}</Badge> : '—'),
  },
  { id: 'method', header: t('fact.method'), narrow: 'hide', cell: methodOf },
  { id: 'at', header: t('fact.issued'), cell: ({ issue_date: day, issued_at: at }) => <IssueDay day={day} at={at} /> },
  { id: 'total', header: t('fact.total'), align: 'end', cell: ({ total, currency }) => showMoney(total, currency) },
];

/** The address parameters of an export of what the list shows. */
const exportSearch = ({ status, q, fiscal_status: fiscal, issue_from: from, issue_to: to }: Partial<Record<string, string>>) => ({
  ...{ types: 'receipt', statuses: status, fiscal_statuses: fiscal, q, from, to },
});

function methodOf({ payment_method: method, payments }: Receipt): string {
  const methods = method ? [method] : payments.map((payment) => payment.method);
  return methods.map((one) => named('method', one)).join(', ') || '—';
}

/** The receipts of an environment. */
export default function ReceiptsPage() {
  const { console, env } = useConsole();
  const can = useCan();
  const seesPersonalData = useSeesPersonalData();
  const search = useListSearch(['status', 'q', 'fiscal_status', 'issue_from', 'issue_to', 'sort']);
  const { filters, page } = search;
  const reading = useQuery({
    queryKey: [env, 'receipts', 'list', filters, page],
    queryFn({ signal }) {
      const { status, fiscal_status: fiscal, sort, ...texts } = filters;
      const listed = {
        status: status?.split(',') as Resource<'ReceiptStatus'>[] | undefined,
        fiscal_status: fiscal?.split(',') as Resource<'FiscalStatus'>[] | undefined,
        sort: sort as Resource<'DocumentSort'> | undefined,
      };
      return answered(console.GET('/console/v1/receipts', { params: { query: { ...texts, ...listed, page } }, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: listedEvery,
  });
  const tabs = ['', ...statuses].map((value) => ({ value, label: value === '' ? t('receipts.all') : named('status', value) }));
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  return (
    <Page
      title={t('nav.receipts')}
      about={t('receipts.about')}
      actions={
        seesPersonalData && (
          <Button variant="default" component={Link} to={exportsAddress} search={exportSearch(filters) as never}>
            {t('exports.ofList')}
          </Button>
        )
      }
    >
      <Tabs name="status" label={t('receipts.byStatus')} tabs={tabs} value={filters.status ?? ''} />
      <Filters search={search}>
        <TextFilter search={search} name="q" label={t('receipts.search')} />
        <ChoiceFilter
          search={search}
          name="fiscal_status"
          label={t('invoices.anyRegistration')}
          options={registrations.map((value) => ({ value, label: named('fiscal.status', value) }))}
        />
        <TextFilter search={search} name="issue_from" type="date" label={t('list.from')} />
        <TextFilter search={search} name="issue_to" type="date" label={t('list.to')} />
        <ChoiceFilter
          search={search}
          name="sort"
          label={t('sort.newest')}
          options={sorts.map((value) => ({ value, label: named('sort', value) }))}
        />
      </Filters>
      <ListPanel
        label={t('nav.receipts')}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => documentAddress('receipt', id)}
        reading={reading}
        search={search}
        isFiltered={isFiltered}
        none={
          <Empty icon="receipt" title={t('receipts.none')} action={can('receipts:write') && <Link to="/app/till">{t('nav.till')}</Link>}>
            {t('receipts.noneText')}
          </Empty>
        }
      />
    </Page>
  );
}
