import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
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
import { CreateCustomer } from './create-customer.tsx';
import { customerAddress, customersKey } from './customers.ts';

type Customer = Resource<'Customer'>;

const columns: readonly Column<Customer>[] = [
  {
    id: 'name',
    header: t('customer.name'),
    cell: ({ name, deleted_at: deleted }) => (
      <>
        {name ?? t('parties.unnamed')} {deleted && <Badge>{t('customers.deleted')}</Badge>}
      </>
    ),
  },
  { id: 'tax_id', header: t('customer.tax_id'), cell: ({ tax_id: id }) => id ?? '—' },
  { id: 'email', header: t('customer.email'), cell: ({ email }) => email ?? '—' },
  { id: 'city', header: t('customer.city'), narrow: 'hide', cell: ({ address }) => address?.city ?? '—' },
  { id: 'country', header: t('customer.country'), narrow: 'hide', cell: ({ address }) => address?.country ?? '—' },
];

const sorts = ['name', '-name', 'created_at'] as const;

/** The customers of an environment, found by name, tax id or e-mail. */
export default function CustomersPage() {
  const { console, env } = useConsole();
  const can = useCan();
  const search = useListSearch(['q', 'deleted', 'sort']);
  const [isMaking, setMaking] = useState(false);
  const { filters, page } = search;
  const reading = useQuery({
    queryKey: [...customersKey(env), 'list', filters, page],
    queryFn({ signal }) {
      const { q, deleted, sort } = filters as Partial<Record<'q' | 'deleted' | 'sort', string>>;
      const query = { ...(q && { q }), ...(deleted && { deleted: deleted as 'all' }), ...(sort && { sort: sort as 'name' }), page };
      return answered(console.GET('/console/v1/customers', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
  const create = can('customers:write') && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
      {t('form.newCustomer')}
    </Button>
  );
  return (
    <Page title={t('nav.customers')} about={t('customers.about')} actions={create}>
      <Filters search={search}>
        <TextFilter search={search} name="q" label={t('customers.search')} />
        <ChoiceFilter
          search={search}
          name="deleted"
          label={t('customers.present')}
          options={[{ value: 'all', label: t('customers.all') }]}
        />
        <ChoiceFilter
          search={search}
          name="sort"
          label={t('sort.newest')}
          options={sorts.map((value) => ({ value, label: named('sort', value) }))}
        />
      </Filters>
      <ListPanel
        label={t('nav.customers')}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => customerAddress(id)}
        reading={reading}
        search={search}
        isFiltered={Boolean(filters.q)}
        none={
          <Empty icon="customers" title={t('customers.none')}>
            {t('customers.noneText')}
          </Empty>
        }
      />
      <CreateCustomer opened={isMaking} close={() => setMaking(false)} />
    </Page>
  );
}
