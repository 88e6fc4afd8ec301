import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { documentAddress, documentKey, type Invoice } from '../../documents/documents.ts';
import { Notices } from '../../documents/notices.tsx';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import type { Decimal } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDefaults } from './defaults.ts';
import { KeptOrNew } from './kept-or-new.tsx';
import { baseOf } from './use-draft.ts';

/** A draft, or an invoice that the authority has rejected, to be changed: the reason stands above the form. */
export default function EditInvoicePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const { defaults, ...reading } = useDefaults();
  const { data, error, refetch } = useQuery({
    queryKey: [...documentKey(env, 'invoice', id), 'edited'],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices/{id}', { params: { path: { id } }, signal })),
    // What the form begins with stays; changes of others are looked for beside it.
    ...{ staleTime: Infinity, gcTime: 0 },
  });
  const failure = error ?? reading.error;
  if (failure) return <Failure error={failure} again={() => void Promise.all([refetch(), reading.refetch()])} />;
  if (!data || !defaults) return <PageSkeleton />;
  return (
    <Page
      title={t('form.edit', { name: data.number ?? t('invoices.draftOf', { type: named('type', data.type) }) })}
      back={{ to: documentAddress('invoice', id), label: data.number ?? t('invoices.draft') }}
    >
      {data.available_actions.includes('update') ? (
        <Editing invoice={data} defaultRate={defaults.default_tax_rate} />
      ) : (
        <Closed invoice={data} />
      )}
    </Page>
  );
}

function Editing({ invoice, defaultRate }: { invoice: Invoice; defaultRate: Decimal | null }) {
  const [base] = useState(() => baseOf(invoice));
  return (
    <KeptOrNew name={`invoice-${invoice.id}`} initial={base.values} base={base} defaultRate={defaultRate}>
      {invoice.status === 'failed' && <Notices document={invoice} />}
    </KeptOrNew>
  );
}

const Closed = ({ invoice }: { invoice: Invoice }) => (
  <Notice
    tone="info"
    title={t('form.closed', { status: named('status', invoice.status) })}
    action={<Link to={documentAddress('invoice', invoice.id)}>{t('form.toInvoice')}</Link>}
  >
    {t('form.closedAbout')}
  </Notice>
);
