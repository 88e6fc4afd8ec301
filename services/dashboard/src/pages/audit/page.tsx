import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { general } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { Page } from '../../shell/page.tsx';
import { showAction } from '../../texts/show-action.ts';
import { named, t } from '../../texts/t.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Time } from '../../ui/time.tsx';
import { actions } from './actions.ts';
import classes from './audit.module.css';
import { Changes } from './changes.tsx';
import { WhoFilters } from './who-filters.tsx';

type Entry = Resource<'AuditEntry'>;

/** What has no name, and an id that no person knows. */
const unnamed = new Set(['session', 'export', 'submissions', 'fiscal_credentials', 'issuer']);

const columns: readonly Column<Entry>[] = [
  { id: 'at', header: t('audit.at'), width: 170, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'actor',
    header: t('audit.actor'),
    cell: ({ actor, via }) => (
      <>
        <Only name="actor" id={actor.id}>
          {actor.name ?? named('actor', actor.type)}
        </Only>
        {via && ` ${t('audit.byLink')}`}
      </>
    ),
  },
  { id: 'action', header: t('audit.action'), cell: ({ action }) => showAction(action) },
  {
    id: 'target',
    header: t('audit.target'),
    cell: ({ target }) => (
      <Only name="target" id={target.id}>
        {target.name ?? (unnamed.has(target.type) ? named('audited', target.type) : <code>{target.id}</code>)}
      </Only>
    ),
  },
  {
    id: 'changes',
    header: t('audit.changes'),
    cell: ({ changes }) => <Changes changes={changes as Record<string, { from: unknown; to: unknown }>} />,
  },
  { id: 'ip', header: t('audit.address'), narrow: 'hide', cell: ({ ip }) => <span className={classes['address']}>{ip ?? '—'}</span> },
];

/** Leads to all entries of the same one. */
const Only = ({ name, id, children }: { name: 'actor' | 'target'; id: string | null; children: ReactNode }) =>
  id === null ? (
    children
  ) : (
    <Link to="." search={((before: object) => ({ ...before, page: undefined, [name]: id })) as never} className={classes['only']}>
      {children}
    </Link>
  );

/** Who changed which setting, from what to what. */
export default function AuditPage() {
  const search = useListSearch(['action', 'actor', 'target', 'from', 'to']);
  const { filters, page } = search;
  const reading = useQuery({
    queryKey: ['audit', filters, page],
    queryFn: ({ signal }) => answered(general.GET('/console/audit', { params: { query: { ...filters, page } }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('nav.audit')} about={t('audit.about')}>
      <Filters search={search}>
        <ChoiceFilter
          search={search}
          name="action"
          label={t('audit.anyAction')}
          options={actions.map((value) => ({ value, label: showAction(value) }))}
        />
        <WhoFilters search={search} rows={reading.data?.data} />
        <TextFilter search={search} name="from" type="date" label={t('list.from')} />
        <TextFilter search={search} name="to" type="date" label={t('list.to')} />
      </Filters>
      <ListPanel
        label={t('nav.audit')}
        columns={columns}
        idOf={({ id }) => id}
        reading={reading}
        search={search}
        isFiltered={Object.keys(filters).length > 0}
        none={
          <Empty icon="search" title={t('audit.none')}>
            {t('audit.noneText')}
          </Empty>
        }
      />
    </Page>
  );
}
