import { Link } from '@tanstack/react-router';
import type { Resource } from '../../api/types.ts';
import { listAddress } from '../../documents/documents.ts';
import { Failures } from '../../documents/failures.tsx';
import { toneOfJob } from '../../documents/jobs.ts';
import { StopJob } from '../../documents/stop-job.tsx';
import { useRefused, useSubmissions } from '../../documents/submissions.ts';
import { Page } from '../../shell/page.tsx';
import { named, t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { Progress } from '../../ui/progress.tsx';
import { Ago } from '../../ui/time.tsx';

type Submissions = Resource<'Submissions'>;

const columns: readonly Column<Submissions>[] = [
  { id: 'at', header: t('fact.created'), cell: ({ created_at: at }) => <Ago at={at} /> },
  { id: 'by', header: t('exports.by'), cell: ({ created_by: by }) => by.name ?? '—' },
  { id: 'status', header: t('fact.status'), cell: (row) => <Badge tone={toneOfJob(row)}>{named('job', row.status)}</Badge> },
  {
    ...{ id: 'done', header: t('bulk.progress') },
    cell: ({ done, total }) => <Progress label={t('bulk.progress')} value={done} max={total} text={t('job.of', { done, total })} />,
  },
  { id: 'failed', header: t('bulk.failed'), cell: (row) => <Failed submissions={row} /> },
  { id: 'stop', header: '', align: 'end', cell: (row) => <StopJob job={row} /> },
];

/** Why a job has ended before its time, and the invoices that were refused. */
function Failed({ submissions: { id: job, failed_count: count, reason } }: { submissions: Submissions }) {
  const { data: failed = [] } = useRefused(job, count);
  return (
    <div>
      {reason && <p>{reason.message}</p>}
      {count === 0 && !reason && '—'}
      <Failures failures={failed} count={count} />
      {count > 0 && (
        <Link
          to={listAddress('invoice')}
          search={((before: { live?: string }) => ({ live: before.live, status: 'draft,failed' })) as never}
        >
          {t('bulk.toDrafts')}
        </Link>
      )}
    </div>
  );
}

/** The queue of invoices that are submitted together. */
export default function SubmissionsPage() {
  const search = useListSearch<never>([]);
  const reading = useSubmissions(search.page);
  return (
    <Page title={t('nav.submissions')} about={t('bulk.queueAbout')} back={{ to: listAddress('invoice'), label: t('nav.invoices') }}>
      <ListPanel
        label={t('nav.submissions')}
        columns={columns}
        idOf={({ id }) => id}
        reading={reading}
        search={search}
        isFiltered={false}
        none={
          <Empty icon="invoice" title={t('bulk.none')}>
            {t('bulk.noneText')}
          </Empty>
        }
      />
    </Page>
  );
}
