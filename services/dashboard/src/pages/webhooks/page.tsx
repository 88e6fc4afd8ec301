import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Ago } from '../../ui/time.tsx';
import { CreateEndpoint } from './create-endpoint.tsx';
import { endpointAddress, endpointsKey, type Endpoint, healthOf, healthTones } from './endpoints.ts';
import classes from './page.module.css';

const eventsIn = ({ events }: Endpoint): string =>
  events.includes('*') ? t('hooks.allEvents') : t('hooks.eventCount', { count: events.length });

const columns: readonly Column<Endpoint>[] = [
  {
    id: 'url',
    header: t('hooks.url'),
    cell: ({ url, description }) => (
      <>
        <span className={classes['url']}>{url}</span>
        {description && <span className={classes['description']}>{description}</span>}
      </>
    ),
  },
  {
    id: 'health',
    header: t('hooks.health'),
    cell: (row) => <Badge tone={healthTones[healthOf(row)]}>{t(`hooks.health.${healthOf(row)}`)}</Badge>,
  },
  { id: 'events', header: t('hooks.events'), cell: eventsIn },
  {
    id: 'success',
    header: t('hooks.lastSuccess'),
    align: 'end',
    cell: ({ health }) => (health.last_success_at ? <Ago at={health.last_success_at} /> : t('never')),
  },
];

/** The endpoints of an environment, each with its health. */
export default function WebhooksPage() {
  const { console, env } = useConsole();
  const search = useListSearch([]);
  const { create } = useSearch({ strict: false }) as { create?: string };
  const navigate = useNavigate();
  const can = useCan();
  const setCreating = (isOpen: boolean): void =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, create: isOpen ? 'true' : undefined })) as never });
  const reading = useQuery({
    queryKey: [...endpointsKey(env), search.page],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/webhooks', { params: { query: { page: search.page } }, signal })),
    placeholderData: keepPreviousData,
  });
  const button = can('webhooks:write') && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      {t('hooks.create')}
    </Button>
  );
  return (
    <Page title={t('nav.webhooks')} about={t('hooks.about')} actions={button}>
      <ListPanel
        label={t('nav.webhooks')}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => endpointAddress(id)}
        reading={reading}
        search={search}
        isFiltered={false}
        none={
          <Empty icon="webhooks" title={t('hooks.none')} action={button}>
            {t('hooks.noneText')} <a href="/docs">{t('hooks.docs')}</a>
          </Empty>
        }
      />
      <CreateEndpoint opened={create === 'true'} close={() => setCreating(false)} />
    </Page>
  );
}
