import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { useAsking } from '../../documents/asking.ts';
import { documentKey, listAddress, paymentOf, toneOf } from '../../documents/documents.ts';
import { FiscalPanel } from '../../documents/fiscal.tsx';
import { Items } from '../../documents/items.tsx';
import { Layout } from '../../documents/layout.tsx';
import { Metadata } from '../../documents/metadata.tsx';
import { Notices } from '../../documents/notices.tsx';
import { Pdf } from '../../documents/pdf.tsx';
import { Summary } from '../../documents/summary.tsx';
import { Timeline } from '../../documents/timeline.tsx';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceFacts } from './invoice-facts.tsx';
import { Payments } from './payments.tsx';

/** One invoice: what it says, where it stands, what happened to it, and its paper. */
export default function InvoicePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const asking = useAsking();
  const { data, error, refetch } = useQuery({
    queryKey: documentKey(env, 'invoice', id),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices/{id}', { params: { path: { id } }, signal })),
    refetchInterval: asking,
    // The page of another document has read it, too, and it may have changed since: by a credit note, for one.
    refetchOnMount: 'always',
  });
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const { fiscal, version } = data;
  const paid = paymentOf(data);
  return (
    <Page
      title={data.number ?? t('invoices.draftOf', { type: named('type', data.type) })}
      about={<Summary document={data} />}
      back={{ to: listAddress('invoice'), label: t('nav.invoices') }}
      beside={
        <>
          <Badge tone={toneOf(data.status)}>{named('status', data.status)}</Badge>
          {paid && <Badge tone={toneOf(paid)}>{named('payment', paid)}</Badge>}
        </>
      }
      actions={<InvoiceActions invoice={data} />}
    >
      <Notices document={data} />
      <Layout beside={<Pdf kind="invoice" id={id} version={version} />}>
        <InvoiceFacts invoice={data} />
        <Items document={data} />
        {data.status === 'submitted' && data.type !== 'credit_note' && <Payments invoice={data} />}
        {fiscal && <FiscalPanel kind="invoice" id={id} number={data.number} fiscal={fiscal} />}
        <Timeline kind="invoice" id={id} version={version} />
        <Metadata metadata={data.metadata} />
      </Layout>
    </Page>
  );
}
