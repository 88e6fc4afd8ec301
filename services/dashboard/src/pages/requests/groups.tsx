import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showNumber } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Time } from '../../ui/time.tsx';
import { requestsAddress } from './requests.ts';

type Row = Resource<'RequestGroup'>;

const columns: readonly Column<Row>[] = [
  { id: 'code', header: t('requests.code'), cell: (row) => <ToRequests group={row} /> },
  { id: 'route', header: t('requests.route'), cell: ({ route }) => <code>{route}</code> },
  { id: 'field', header: t('requests.field'), cell: ({ field }) => field ?? '—' },
  { id: 'count', header: t('requests.count'), align: 'end', cell: ({ count }) => showNumber(count) },
  { id: 'last', header: t('requests.last'), align: 'end', cell: ({ last_at: at }) => <Time at={at} /> },
];

/** A figure leads to what it counts. */
const ToRequests = ({ group: { code, route, field } }: { group: Row }) => (
  <Link
    to={requestsAddress}
    search={((before: object) => ({ ...before, view: undefined, page: undefined, code, route, field: field ?? 'none' })) as never}
  >
    {code}
  </Link>
);

export function Groups() {
  const { console, env } = useConsole();
  const search = useListSearch([]);
  const reading = useQuery({
    queryKey: [env, 'request-groups', search.page],
    queryFn: ({ signal }) => answered(console.GET('/console/requests/groups', { params: { query: { page: search.page } }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <ListPanel
      label={t('requests.groups')}
      columns={columns}
      idOf={({ code, route, field }) => `${code} ${route} ${field}`}
      reading={reading}
      search={search}
      isFiltered={false}
      none={
        <Empty icon="check" title={t('requests.none')}>
          {t('requests.noneText')}
        </Empty>
      }
    />
  );
}
