import { answered } from '@svc/client/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../ui/filters.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Time } from '../../ui/time.tsx';
import { KeyFilter } from './key-filter.tsx';
import { actorOf, methods, requestAddress, type Row, rowsOf, statuses, toneOf } from './requests.ts';

const columns: readonly Column<Row>[] = [
  {
    id: 'what',
    header: t('requests.what'),
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  { id: 'status', header: t('requests.status'), cell: (row) => <Badge tone={toneOf(row)}>{row.status}</Badge> },
  { id: 'code', header: t('requests.code'), width: 140, cell: ({ code }) => code },
  { id: 'who', header: t('requests.who'), cell: (row) => <bdi>{actorOf(row)}</bdi> },
  { id: 'fields', header: t('requests.fields'), narrow: 'hide', cell: ({ fields = [] }) => fields.join(', ') || '—' },
  { id: 'at', header: t('requests.at'), align: 'end', cell: ({ at }) => at && <Time at={at} /> },
];

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export function RequestList() {
  const { console, env } = useConsole();
  const search = useListSearch(['status', 'method', 'code', 'path', 'route', 'field', 'key_id', 'from', 'to']);
  const { filters, page } = search;
  const reading = useQuery({
    queryKey: [env, 'requests', filters, page],
    queryFn: async ({ signal }) => {
      const { status, method, code, ...texts } = filters;
      const listed = { status: listOf(status), method: listOf(method) as ('GET' | 'POST')[] | undefined, code: listOf(code) };
      return rowsOf(await answered(console.GET('/console/requests', { params: { query: { ...texts, ...listed, page } }, signal })));
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Filters search={search}>
        <ChoiceFilter search={search} name="status" label={t('requests.anyStatus')} options={options(statuses)} />
        <ChoiceFilter search={search} name="method" label={t('requests.anyMethod')} options={options(methods)} />
        <KeyFilter search={search} rows={reading.data?.data} />
        <TextFilter search={search} name="code" label={t('requests.code')} />
        <TextFilter search={search} name="path" label={t('requests.path')} />
        <TextFilter search={search} name="route" label={t('requests.route')} />
        <TextFilter search={search} name="field" label={t('requests.field')} />
        <TextFilter search={search} name="from" type="date" label={t('list.from')} />
        <TextFilter search={search} name="to" type="date" label={t('list.to')} />
      </Filters>
      <ListPanel
        label={t('nav.requests')}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ id }) => requestAddress(id)}
        reading={reading}
        search={search}
        isFiltered={Object.keys(filters).length > 0}
        none={
          <Empty icon="check" title={t('requests.none')}>
            {t('requests.noneText')}
          </Empty>
        }
      />
    </>
  );
}

const listOf = (text: string | undefined): string[] | undefined => text?.split(',').map((one) => one.trim());
