import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { showNumber } from '../../format/numbers.ts';
import { t } from '../../texts/t.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
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
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'request-groups', search.page],
    queryFn: ({ signal }) => answered(console.GET('/console/requests/groups', { params: { query: { page: search.page } }, signal })),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} again={() => void refetch()} />;
  return (
    <Panel flush>
      <DataTable
        label={t('requests.groups')}
        columns={columns}
        rows={data?.data}
        idOf={({ code, route, field }) => `${code} ${route} ${field}`}
        empty={
          <Empty icon="check" title={t('requests.none')}>
            {t('requests.noneText')}
          </Empty>
        }
      />
      <Pager meta={data?.meta} search={search} />
    </Panel>
  );
}
