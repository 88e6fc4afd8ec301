import type { Resource } from '../../api/types.ts';
import { showRelative } from '../../format/dates.ts';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { Time } from '../../ui/time.tsx';
import { deliveryAddress, eventNames, toneOf } from './endpoints.ts';
import type { useDeliveries } from './queries.ts';
import { ResourceFilter } from './resource-filter.tsx';
import { ResourceLink } from './resource-link.tsx';
import classes from './deliveries.module.css';

type Row = Resource<'Delivery'>;

const statuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

const columns: readonly Column<Row>[] = [
  { id: 'event', header: t('hooks.event'), cell: ({ event_type: type }) => type },
  { id: 'resource', header: t('deliveries.resource'), cell: ({ resource_id: id }) => <ResourceLink id={id} /> },
  { id: 'status', header: t('deliveries.status'), cell: ({ status }) => <Badge tone={toneOf(status)}>{named('delivery', status)}</Badge> },
  { id: 'why', header: t('deliveries.why'), cell: (row) => reasonOf(row) ?? '—' },
  { id: 'at', header: t('deliveries.at'), align: 'end', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** Why it did not arrive, and when it is tried next. */
function reasonOf({ attempts, status, next_attempt_at: next }: Row): string | null {
  const error = attempts.at(-1)?.error ?? null;
  if (status !== 'pending' || next === null) return error;
  const again = Date.parse(next) > Date.now() ? t('deliveries.next', { when: showRelative(next) }) : t('deliveries.soon');
  return error === null ? again : `${error} · ${again}`;
}

/** What was sent to an endpoint, the newest first. */
export function Deliveries({ endpoint: id, reading, search }: { endpoint: string } & ReturnType<typeof useDeliveries>) {
  const { filters } = search;
  return (
    <ListPanel
      title={t('deliveries.title')}
      label={t('deliveries.title')}
      columns={columns}
      idOf={(row) => row.id}
      linkOf={(row) => deliveryAddress(id, row.id)}
      reading={reading}
      search={search}
      isFiltered={Object.keys(filters).length > 0}
      none={
        <Empty icon="webhooks" title={t('deliveries.none')}>
          {t('deliveries.noneText')}
        </Empty>
      }
    >
      <div className={classes['filters']}>
        <Filters search={search}>
          <ChoiceFilter search={search} name="status" label={t('deliveries.anyStatus')} options={statuses.map(optionOf)} />
          <ChoiceFilter
            search={search}
            name="event_type"
            label={t('deliveries.anyEvent')}
            options={eventNames.map((value) => ({ value, label: value }))}
          />
          <ResourceFilter search={search} />
          <TextFilter search={search} name="created_from" type="date" label={t('list.from')} />
          <TextFilter search={search} name="created_to" type="date" label={t('list.to')} />
        </Filters>
      </div>
    </ListPanel>
  );
}

const optionOf = (value: string) => ({ value, label: named('delivery', value) });
