import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { general } from '../../api/consoles.ts';
import { useEnvironment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Ago, Time } from '../../ui/time.tsx';
import { CreateKey } from './create-key.tsx';
import { keyAddress, keysKey } from './keys.ts';
import { Grants } from './grants.tsx';

type Key = Resource<'ConsoleKey'>;

const columns: readonly Column<Key>[] = [
  { id: 'name', header: t('name.label'), cell: ({ name }) => name },
  {
    id: 'env',
    header: t('keys.env'),
    cell: ({ livemode }) => <Badge tone={livemode ? 'good' : 'warn'}>{t(livemode ? 'env.live' : 'env.test')}</Badge>,
  },
  { id: 'start', header: t('keys.value'), cell: ({ start }) => <code>{start}…</code> },
  { id: 'grants', header: t('keys.permissions'), cell: ({ permissions }) => <Grants permissions={permissions} /> },
  { id: 'used', header: t('keys.lastUsed'), cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : t('never')) },
  { id: 'ends', header: t('keys.ends'), narrow: 'hide', cell: ({ expires_at: at }) => (at ? <Time at={at} /> : t('never')) },
];

/** The keys of both environments; the value of a new one is shown once. */
export default function ApiKeysPage() {
  const search = useListSearch([]);
  const { create } = useSearch({ strict: false }) as { create?: string };
  const navigate = useNavigate();
  const can = useCan();
  const env = useEnvironment();
  const setCreating = (isOpen: boolean): void =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, create: isOpen ? 'true' : undefined })) as never });
  const reading = useQuery({
    queryKey: [...keysKey, search.page],
    queryFn: ({ signal }) => answered(general.GET('/console/api-keys', { params: { query: { page: search.page } }, signal })),
    placeholderData: keepPreviousData,
  });
  const button = (can('api_keys:write', 'test') || can('api_keys:write', 'live')) && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      {t('keys.create')}
    </Button>
  );
  return (
    <Page title={t('nav.apiKeys')} about={t('keys.about')} actions={button}>
      <ListPanel
        label={t('nav.apiKeys')}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => keyAddress(id)}
        reading={reading}
        search={search}
        isFiltered={false}
        none={
          <Empty icon="key" title={t('keys.none')} action={button}>
            {t('keys.noneText')} <a href="/docs">{t('keys.docs')}</a>
          </Empty>
        }
      />
      <CreateKey opened={create === 'true'} env={env} close={() => setCreating(false)} />
    </Page>
  );
}
