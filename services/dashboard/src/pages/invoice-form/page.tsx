import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useEnvironment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { documentKey, type Invoice, listAddress } from '../../documents/documents.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { useDefaults } from './defaults.ts';
import { KeptOrNew } from './kept-or-new.tsx';
import { copyOf, correctiveOf, emptyForm, type Head } from './values.ts';

/** A new invoice: an empty form, a copy of another one (`?from_id=`), one for a customer (`?customer_id=`), or a corrective of another one (`?corrects_id=`). */
export default function NewInvoicePage() {
  const {
    from_id: from,
    corrects_id: corrects,
    customer_id: customer,
  } = useSearch({ strict: false }) as Partial<Record<'from_id' | 'corrects_id' | 'customer_id', string>>;
  const env = useEnvironment();
  const { defaults, ...reading } = useDefaults();
  const { source, ...asked } = useSource(corrects ?? from);
  const { buyer, ...found } = useBuyer(customer);
  const error = reading.error ?? asked.error ?? found.error;
  if (error) return <Failure error={error} again={() => void Promise.all([reading.refetch(), asked.refetch(), found.refetch()])} />;
  if (!defaults || source === undefined || buyer === undefined) return <PageSkeleton />;
  const title = corrects && source ? t('form.correctiveOf', { number: source.number ?? '' }) : t('form.new');
  return (
    <Page
      title={title}
      about={corrects ? t('form.correctiveAbout') : t('form.newAbout')}
      back={{ to: listAddress('invoice'), label: t('nav.invoices') }}
    >
      <Begun
        key={`${env} ${corrects ?? from ?? customer ?? ''}`}
        name={corrects ? `corrective-${corrects}` : 'invoice-new'}
        defaults={defaults}
        source={source}
        buyer={buyer}
        isCorrective={corrects !== undefined}
      />
    </Page>
  );
}

interface BegunProps {
  name: string;
  defaults: Pick<Resource<'Issuer'>, 'currency' | 'prices_include_tax' | 'rounding' | 'default_tax_rate'>;
  source: Invoice | null;
  buyer: Head['customer'];
  isCorrective: boolean;
}

function Begun({ name, defaults, source, buyer, isCorrective }: BegunProps) {
  const [initial] = useState(() => (!source ? emptyForm(defaults, buyer) : isCorrective ? correctiveOf(source) : copyOf(source)));
  return <KeptOrNew name={name} initial={initial} base={null} defaultRate={defaults.default_tax_rate} />;
}

/** The invoice that the new one comes from; null: it comes from none, undefined: it is still read. */
function useSource(id: string | undefined) {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: documentKey(env, 'invoice', id ?? ''),
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices/{id}', { params: { path: { id: id ?? '' } }, signal })),
    enabled: id !== undefined,
  });
  return { source: id === undefined ? null : data, error, refetch };
}

/** The customer that it is for; null: not chosen yet, undefined: it is still read. */
function useBuyer(id: string | undefined) {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'customers', id],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/customers/{id}', { params: { path: { id: id ?? '' } }, signal })),
    enabled: id !== undefined,
  });
  return { buyer: id === undefined ? null : data && { id: data.id, name: data.name ?? '' }, error, refetch };
}
