import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { useAsking } from '../../documents/asking.ts';
import { DocumentLink } from '../../documents/document-link.tsx';
import { documentKey, listAddress, type Receipt, toneOf } from '../../documents/documents.ts';
import { FiscalPanel } from '../../documents/fiscal.tsx';
import { Items } from '../../documents/items.tsx';
import { Layout } from '../../documents/layout.tsx';
import { Metadata } from '../../documents/metadata.tsx';
import { Notices } from '../../documents/notices.tsx';
import { Parties } from '../../documents/parties.tsx';
import { Pdf } from '../../documents/pdf.tsx';
import { Summary } from '../../documents/summary.tsx';
import { Timeline } from '../../documents/timeline.tsx';
import { showDay } from '../../format/dates.ts';
import { showMoney } from '../../format/numbers.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { ReceiptActions } from './receipt-actions.tsx';

/** One receipt: what was sold and paid, its registration, what happened to it, and its paper. */
export default function ReceiptPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const asking = useAsking();
  const { data, error, refetch } = useQuery({
    queryKey: documentKey(env, 'receipt', id),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/receipts/{id}', { params: { path: { id } }, signal })),
    refetchInterval: asking,
    // The page of another document has read it, too, and it may have changed since: by a credit note, for one.
    refetchOnMount: 'always',
  });
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const { fiscal, version } = data;
  return (
    <Page
      title={data.number}
      about={<Summary document={data} />}
      back={{ to: listAddress('receipt'), label: t('nav.receipts') }}
      beside={<Badge tone={toneOf(data.status)}>{named('status', data.status)}</Badge>}
      actions={<ReceiptActions receipt={data} />}
    >
      <Notices document={data} />
      <Layout beside={<Pdf kind="receipt" id={id} version={version} />}>
        <Panel>
          {(data.customer ?? data.issuer) && <Parties document={data} />}
          <Facts rows={rowsOf(data)} />
        </Panel>
        <Items document={data} />
        {fiscal && <FiscalPanel kind="receipt" id={id} number={data.number} fiscal={fiscal} />}
        <Timeline kind="receipt" id={id} version={version} />
        <Metadata metadata={data.metadata} />
      </Layout>
    </Page>
  );
}

const rowsOf = (receipt: Receipt) => [
  ...(receipt.corrects ? [[t('fact.corrects'), <DocumentLink key="corrects" kind="receipt" id={receipt.corrects} />] as const] : []),
  [t('fact.issued'), <span key="issued">{showDay(receipt.issue_date)}</span>] as const,
  [t('fact.paid'), paidBy(receipt)] as const,
  ...(receipt.unit ? [[t('fact.unit'), receipt.unit] as const] : []),
  ...(receipt.device ? [[t('fact.device'), receipt.device] as const] : []),
  ...(receipt.operator ? [[t('fact.operator'), receipt.operator] as const] : []),
  ...(receipt.void
    ? [
        [t('fact.voidReason'), receipt.void.reason] as const,
        ...(receipt.void.document_id
          ? [[t('fact.voidedBy'), <DocumentLink key="void" kind="receipt" id={receipt.void.document_id} />] as const]
          : []),
      ]
    : []),
  ...(receipt.notes ? [[t('fact.notes'), receipt.notes] as const] : []),
  [t('fact.created'), <Time key="created" at={receipt.created_at} />] as const,
  ['ID', <code key="id">{receipt.id}</code>] as const,
];

/** Each way of payment with its amount. */
const paidBy = ({ payments, payment_method: method, total, currency }: Receipt): string | null =>
  payments.length > 0
    ? payments.map((payment) => `${named('method', payment.method)} ${showMoney(payment.amount, currency)}`).join(', ')
    : method && `${named('method', method)} ${showMoney(total, currency)}`;
