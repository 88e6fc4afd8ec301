import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { documentAddress, documentKey, type Invoice } from '../../documents/documents.ts';
import { Parties } from '../../documents/parties.tsx';
import { showDay } from '../../format/dates.ts';
import { showQuantity } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';

/** Who, whom, when. What an invoice has not is not named. */
export const InvoiceFacts = ({ invoice }: { invoice: Invoice }) => (
  <Panel>
    <Parties document={invoice} />
    <Facts rows={rowsOf(invoice)} />
  </Panel>
);

const rowsOf = (invoice: Invoice) => [
  ...(invoice.type === 'standard' ? [] : [[t('fact.type'), named('type', invoice.type)] as const]),
  ...(invoice.corrects ? [[t('fact.corrects'), <ToInvoice key="corrects" id={invoice.corrects} />] as const] : []),
  ...(invoice.voids ? [[t('fact.voids'), <ToInvoice key="voids" id={invoice.voids} />] as const] : []),
  ...(invoice.issue_date ? [[t('fact.issued'), showDay(invoice.issue_date)] as const] : []),
  ...(invoice.due_date ? [[t('fact.due'), showDay(invoice.due_date)] as const] : []),
  ...(invoice.supply_date ? [[t('fact.supply'), showDay(invoice.supply_date)] as const] : []),
  ...(invoice.payment_method ? [[t('fact.method'), named('method', invoice.payment_method)] as const] : []),
  ...(invoice.exchange_rate ? [[t('fact.rate'), showQuantity(invoice.exchange_rate)] as const] : []),
  ...(invoice.void
    ? [
        [t('fact.voidReason'), invoice.void.reason] as const,
        ...(invoice.void.document_id ? [[t('fact.voidedBy'), <ToInvoice key="void" id={invoice.void.document_id} />] as const] : []),
      ]
    : []),
  ...(invoice.notes ? [[t('fact.notes'), invoice.notes] as const] : []),
  [t('fact.created'), <Time key="created" at={invoice.created_at} />] as const,
  ['ID', <code key="id">{invoice.id}</code>] as const,
];

/** By its number; by its id until that is read, and where it has none. */
function ToInvoice({ id }: { id: string }) {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: documentKey(env, 'invoice', id),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices/{id}', { params: { path: { id } }, signal })),
  });
  return <Link to={documentAddress('invoice', id)}>{data?.number ?? <code>{id}</code>}</Link>;
}
