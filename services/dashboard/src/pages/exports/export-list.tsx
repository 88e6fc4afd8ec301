import { Button } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { Failures } from '../../documents/failures.tsx';
import { exportsKey, toneOfJob, whileMoving } from '../../documents/jobs.ts';
import { StopJob } from '../../documents/stop-job.tsx';
import { showDay } from '../../format/dates.ts';
import { showBytes } from '../../format/numbers.ts';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { useSaving } from '../../ui/saving.ts';
import { Ago } from '../../ui/time.tsx';

type Export = Resource<'Export'>;

const columnsOf = (download: (id: string) => void): readonly Column<Export>[] => [
  { id: 'kind', header: t('exports.kind'), cell: ({ kind }) => named('exports.kind', kind) },
  { id: 'days', header: t('exports.days'), cell: ({ from, to }) => t('reports.period', { from: showDay(from), to: showDay(to) }) },
  { id: 'status', header: t('fact.status'), cell: (row) => <Badge tone={toneOfJob(row)}>{named('job', row.status)}</Badge> },
  { id: 'done', header: t('exports.documents'), align: 'end', cell: ({ done, total }) => t('job.of', { done, total }) },
  { id: 'by', header: t('exports.by'), narrow: 'hide', cell: ({ created_by: by }) => by.name ?? '—' },
  { id: 'at', header: t('fact.created'), narrow: 'hide', cell: ({ created_at: at }) => <Ago at={at} /> },
  {
    ...{ id: 'file', header: '', align: 'end', wraps: true },
    cell: (row) => <File of={row} download={download} />,
  },
];

interface FileProps {
  of: Export;
  download: (id: string) => void;
}

/** The file once it is made, until then the way to stop it; why there is none, and what it lacks. */
const File = ({ of: job, download }: FileProps) => {
  const { id, kind, status, from, to, bytes, reason, missing_count: missing } = job;
  return (
    <div>
      <StopJob job={job} />
      {status === 'succeeded' && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('exports.downloadOf', { kind: named('exports.kind', kind), from: showDay(from), to: showDay(to) })}
          onClick={() => download(id)}
        >
          {t('exports.download', { size: showBytes(bytes) })}
        </Button>
      )}
      {missing > 0 && <Missing id={id} count={missing} />}
      {reason && <p>{reason.message}</p>}
    </div>
  );
};

/** What it lacks, which lists do not name. */
function Missing({ id, count }: { id: string; count: number }) {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: [...exportsKey(env), 'missing', id, count],
    queryFn: ({ signal }) => answered(console.GET('/console/exports/{id}', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });
  return (
    <>
      <p>{t('exports.missing', { count })}</p>
      <Failures failures={data?.missing ?? []} count={count} />
    </>
  );
}

/** The exports of the last day, and how far they are. */
export function ExportList() {
  const { console, env } = useConsole();
  const search = useListSearch<never>([]);
  const reading = useQuery({
    queryKey: [...exportsKey(env), 'list', search.page],
    queryFn: ({ signal }) => answered(console.GET('/console/exports', { params: { query: { page: search.page } }, signal })),
    refetchInterval: whileMoving,
  });
  // A link ends after 15 minutes: it is made when it is wanted.
  const { run, error: failed } = useSaving({
    run: (id: string) => answered(console.GET('/console/exports/{id}', { params: { path: { id } } })),
    done: ({ url }) => url !== null && location.assign(url),
  });
  const columns = useMemo(() => columnsOf(run), [run]);
  return (
    <ListPanel
      title={t('exports.list')}
      label={t('exports.list')}
      columns={columns}
      idOf={({ id }) => id}
      reading={reading}
      search={search}
      isFiltered={false}
      none={<Empty icon="reports" title={t('exports.none')} />}
    >
      {failed && <Failure error={failed} />}
    </ListPanel>
  );
}
