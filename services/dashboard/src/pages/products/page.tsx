import { Button, Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Once } from '../../api/intent.ts';
import { useIssuerBasics } from '../../documents/issuer.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { useIntent } from '../../ui/saving.ts';
import { ProductForm } from './product-form.tsx';
import {
  type Basics,
  noProduct,
  priceOf,
  type Product,
  productAddress,
  productOf,
  productsKey,
  type ProductValues,
  ratesOf,
} from './products.ts';

const columnsOf = (issuer: Basics): readonly Column<Product>[] => [
  { id: 'name', header: t('product.name'), cell: ({ name }) => name },
  { id: 'sku', header: t('product.sku'), cell: ({ sku }) => sku ?? '—' },
  {
    id: 'state',
    header: t('members.state'),
    cell: ({ active }) => <Badge tone={active ? 'good' : 'calm'}>{t(active ? 'products.active' : 'products.inactive')}</Badge>,
  },
  { id: 'tax', header: t('form.tax'), align: 'end', cell: (product) => ratesOf(product, issuer) },
  { id: 'price', header: t('product.unit_price'), align: 'end', cell: (product) => priceOf(product, issuer) },
];

const sorts = ['name', '-name', 'created_at'] as const;

/** The products of an environment, found by name or SKU. */
export default function ProductsPage() {
  const { console, env } = useConsole();
  const can = useCan();
  const search = useListSearch(['q', 'active', 'sort']);
  const [isMaking, setMaking] = useState(false);
  const { filters, page } = search;
  const { data: issuer } = useIssuerBasics();
  const columns = useMemo(() => columnsOf(issuer), [issuer]);
  const reading = useQuery({
    queryKey: [...productsKey(env), 'list', filters, page],
    queryFn({ signal }) {
      const { q, active, sort } = filters as Partial<Record<'q' | 'active' | 'sort', string>>;
      const query = { ...(q && { q }), ...(active && { active: active === 'true' }), ...(sort && { sort: sort as 'name' }), page };
      return answered(console.GET('/console/v1/products', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={t('nav.products')}
      about={t('products.about')}
      actions={
        can('products:write') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
            {t('products.new')}
          </Button>
        )
      }
    >
      <Filters search={search}>
        <TextFilter search={search} name="q" label={t('products.search')} />
        <ChoiceFilter
          search={search}
          name="active"
          label={t('products.any')}
          options={['true', 'false'].map((value) => ({ value, label: t(value === 'true' ? 'products.active' : 'products.inactive') }))}
        />
        <ChoiceFilter
          search={search}
          name="sort"
          label={t('sort.newest')}
          options={sorts.map((value) => ({ value, label: named('sort', value) }))}
        />
      </Filters>
      <ListPanel
        label={t('nav.products')}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => productAddress(id)}
        reading={reading}
        search={search}
        isFiltered={Boolean(filters.q || filters.active)}
        none={
          <Empty icon="products" title={t('products.none')}>
            {t('products.noneText')}
          </Empty>
        }
      />
      <CreateProduct opened={isMaking} close={() => setMaking(false)} />
    </Page>
  );
}

/** The form of a new product, then its page. */
function CreateProduct({ opened, close }: { opened: boolean; close: () => void }) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const intent = useIntent();
  // After a failure, too: without an answer the list says whether it is there.
  const refresh = (): void => void queries.invalidateQueries({ queryKey: productsKey(env) });
  const save = (values: ProductValues, once: Once) =>
    answered(console.POST('/console/v1/products', { body: productOf(values), headers: once })).finally(refresh);
  const show = ({ id }: { id: string }): Promise<void> => navigate({ to: productAddress(id) });
  return (
    <Modal opened={opened} onClose={close} title={t('products.new')} size="lg">
      {opened && <ProductForm initial={noProduct} save={save} done={show} intent={intent} button={t('products.create')} cancel={close} />}
    </Modal>
  );
}
