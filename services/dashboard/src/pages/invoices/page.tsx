import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { CustomerLink } from '../../customers/customer-link.tsx';
import { newInvoice } from '../../documents/documents.ts';
import { exportsAddress } from '../../documents/jobs.ts';
import { useCan, useSeesPersonalData } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { InvoiceFilters } from './invoice-filters.tsx';
import { InvoiceList } from './invoice-list.tsx';
import { MovingSubmissions } from './moving-submissions.tsx';
import { countOf, exportSearch, filterNames, type InvoiceFilterName, tabValues } from './invoices.ts';

const COUNTED_MS = 30_000;

/** The invoices of an environment, by status. */
export default function InvoicesPage() {
  const { console, env } = useConsole();
  const can = useCan();
  const seesPersonalData = useSeesPersonalData();
  const search = useListSearch<InvoiceFilterName>(filterNames);
  const { customer_id: customer } = search.filters;
  const { data } = useQuery({
    queryKey: [env, 'invoices', 'counts'],
    queryFn: ({ signal }) => answered(console.GET('/console/counts', { params: { query: { of: 'invoices', by: 'status' } }, signal })),
    refetchInterval: COUNTED_MS,
  });
  const tabs = tabValues.map((value) => ({
    value,
    label: t(value === '' ? 'invoices.all' : value === 'voiding,voided' ? 'invoices.voided' : `status.${value}`),
    count: countOf(value, data?.counts),
  }));
  return (
    <Page
      title={t('nav.invoices')}
      about={
        customer === undefined ? (
          t('invoices.about')
        ) : (
          <>
            {t('invoices.ofCustomer')} <CustomerLink id={customer} />
          </>
        )
      }
      actions={
        <>
          {seesPersonalData && (
            <Button variant="default" component={Link} to={exportsAddress} search={exportSearch(search.filters) as never}>
              {t('exports.ofList')}
            </Button>
          )}
          {can('invoices:write') && (
            <Button leftSection={<Icon name="plus" size={16} />} component={Link} to={newInvoice}>
              {t('invoice.new')}
            </Button>
          )}
        </>
      }
    >
      <Tabs name="status" label={t('invoices.byStatus')} tabs={tabs} value={search.filters.status ?? ''} />
      <InvoiceFilters search={search} />
      {can('invoices:submit') && <MovingSubmissions />}
      <InvoiceList search={search} />
    </Page>
  );
}
