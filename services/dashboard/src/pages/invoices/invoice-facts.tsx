import { DocumentLink } from '../../documents/document-link.tsx';
import type { Invoice } from '../../documents/documents.ts';
import { Parties } from '../../documents/parties.tsx';
import { showDay } from '../../format/dates.ts';
import { showQuantity } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { CorrectedBy, type Corrections, useCorrections } from './corrected-by.tsx';

/** Who, whom, when. What an invoice has not is not named. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const corrections = useCorrections(invoice);
  return (
    <Panel>
      <Parties document={invoice} />
      <Facts rows={rowsOf(invoice, corrections)} />
    </Panel>
  );
}

const rowsOf = (invoice: Invoice, corrections: Corrections | undefined) => [
  ...(invoice.type === 'standard' ? [] : [[t('fact.type'), named('type', invoice.type)] as const]),
  ...(invoice.corrects ? [[t('fact.corrects'), <DocumentLink key="corrects" kind="invoice" id={invoice.corrects} />] as const] : []),
  ...(corrections && corrections.data.length > 0
    ? [[t('fact.correctedBy'), <CorrectedBy key="corrections" corrections={corrections} />] as const]
    : []),
  ...(invoice.voids ? [[t('fact.voids'), <DocumentLink key="voids" kind="invoice" id={invoice.voids} />] as const] : []),
  ...(invoice.issue_date ? [[t('fact.issued'), showDay(invoice.issue_date)] as const] : []),
  ...(invoice.due_date ? [[t('fact.due'), showDay(invoice.due_date)] as const] : []),
  ...(invoice.supply_date ? [[t('fact.supply'), showDay(invoice.supply_date)] as const] : []),
  ...(invoice.payment_method ? [[t('fact.method'), named('method', invoice.payment_method)] as const] : []),
  ...(invoice.exchange_rate ? [[t('fact.rate'), showQuantity(invoice.exchange_rate)] as const] : []),
  ...(invoice.void
    ? [
        [t('fact.voidReason'), invoice.void.reason] as const,
        ...(invoice.void.document_id
          ? [[t('fact.voidedBy'), <DocumentLink key="void" kind="invoice" id={invoice.void.document_id} />] as const]
          : []),
      ]
    : []),
  ...(invoice.notes ? [[t('fact.notes'), invoice.notes] as const] : []),
  [t('fact.created'), <Time key="created" at={invoice.created_at} />] as const,
  ['ID', <code key="id">{invoice.id}</code>] as const,
];
