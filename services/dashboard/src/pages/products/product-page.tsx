import { Button, Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { ActionsMenu } from '../../documents/actions-menu.tsx';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { showQuantity } from '../../format/numbers.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { Time } from '../../ui/time.tsx';
import { ChangeProduct } from './change-product.tsx';
import { type Basics, priceOf, type Product, productsAddress, productsKey, ratesOf } from './products.ts';

/** One product, and what can be done with it. */
export default function ProductPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [...productsKey(env), id],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/products/{id}', { params: { path: { id } }, signal })),
  });
  const { data: issuer } = useIssuerBasics();
  if (error && !data) return <Failure error={error} again={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const state = data.deleted_at ? 'customers.deleted' : data.active ? 'products.active' : 'products.inactive';
  return (
    <Page
      title={data.name}
      back={{ to: productsAddress, label: t('nav.products') }}
      beside={<Badge tone={state === 'products.active' ? 'good' : 'calm'}>{t(state)}</Badge>}
      actions={!data.deleted_at && <ProductActions product={data} />}
    >
      <Panel>
        <Facts rows={rowsOf(data, issuer)} />
      </Panel>
    </Page>
  );
}

const rowsOf = (product: Product, issuer: Basics) => [
  [t('product.description'), product.description] as const,
  [t('product.sku'), product.sku] as const,
  [t('product.unit'), product.unit] as const,
  [t('product.unit_price'), priceOf(product, issuer)] as const,
  [
    t('items.taxes'),
    product.taxes?.map(({ category, rate }) => t('items.tax', { category, rate: showQuantity(rate) })).join(', ') ??
      t('products.taxOfIssuer', { rate: ratesOf(product, issuer) }),
  ] as const,
  [t('fact.created'), <Time key="created" at={product.created_at} />] as const,
  ['ID', <code key="id">{product.id}</code>] as const,
];

function ProductActions({ product }: { product: Product }) {
  const { console, env } = useConsole();
  const can = useCan();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const path = { id: product.id };
  const show = (now: Product): void => {
    close();
    queries.setQueryData([...productsKey(env), product.id], now);
    void queries.invalidateQueries({ queryKey: productsKey(env) });
  };
  const turn = useSaving({
    run: (_: undefined) => answered(console.PATCH('/console/v1/products/{id}', { params: { path }, body: { active: !product.active } })),
    done: show,
  });
  const remove = useSaving({
    run: (_: undefined) => answered(console.DELETE('/console/v1/products/{id}', { params: { path } })),
    done: show,
  });
  if (!can('products:write')) return null;
  return (
    <>
      {turn.error && <Failure error={turn.error} />}
      <Button onClick={() => setOpen('edit')}>{t('invoice.edit')}</Button>
      <ActionsMenu
        actions={[
          { name: 'turn', label: t(product.active ? 'products.turnOff' : 'products.turnOn'), run: () => turn.run(undefined) },
          { name: 'delete', label: t('customers.delete'), run: () => setOpen('delete') },
        ]}
      />
      <Modal opened={open === 'edit'} onClose={close} title={t('products.edit')} size="lg">
        {open === 'edit' && <ChangeProduct product={product} done={show} cancel={close} />}
      </Modal>
      <Confirm
        opened={open === 'delete'}
        close={close}
        title={t('products.deleteTitle')}
        button={t('customers.delete')}
        saving={remove}
        isDangerous
      >
        <p>{t('products.deleteAbout')}</p>
      </Confirm>
    </>
  );
}
