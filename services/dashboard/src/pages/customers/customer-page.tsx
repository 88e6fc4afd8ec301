import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { customersAddress, customersKey } from './customers.ts';
import { OpenItems } from './open-items.tsx';

/** One customer: who it is, what is open, and the way to its invoices. */
export default function CustomerPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const can = useCan();
  const { data, error, refetch } = useQuery({
    queryKey: [...customersKey(env), id],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/customers/{id}', { params: { path: { id } }, signal })),
  });
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  return (
    <Page
      title={data.name ?? t('parties.unnamed')}
      back={{ to: customersAddress, label: t('nav.customers') }}
      actions={!data.deleted_at && <CustomerActions customer={data} />}
    >
      {data.deleted_at && (
        <Notice tone="info" title={t(data.erased_at ? 'customers.erasedTitle' : 'customers.deletedTitle')}>
          {t('customers.deletedText')}
        </Notice>
      )}
      <Panel
        title={t('customers.details')}
        actions={
          can('invoices:read') && (
            <Link to="/app/invoices" search={((before: { live?: string }) => ({ live: before.live, customer_id: id })) as never}>
              {t('customers.toInvoices')}
            </Link>
          )
        }
      >
        <Facts rows={rowsOf(data)} />
      </Panel>
      {can('reports:read') && <OpenItems id={id} />}
    </Page>
  );
}

const rowsOf = (customer: Resource<'Customer'>) => {
  const { address } = customer;
  const place = [address?.postal_code, address?.city].filter(Boolean).join(' ');
  const lines = [address?.line1, address?.line2, place, address?.region, address?.country].filter(Boolean);
  return [
    [t('customer.tax_id'), customer.tax_id] as const,
    [t('customer.email'), customer.email] as const,
    [t('customer.phone'), customer.phone] as const,
    [t('customer.line1'), lines.length > 0 ? lines.join(', ') : null] as const,
    [t('customer.language'), customer.language] as const,
    [t('fact.created'), <Time key="created" at={customer.created_at} />] as const,
    ['ID', <code key="id">{customer.id}</code>] as const,
  ];
};
