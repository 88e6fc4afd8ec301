import { Button, TextInput } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { useToday } from '../../documents/issuer.ts';
import { useExporting } from '../../documents/jobs.ts';
import { showDay } from '../../format/dates.ts';
import { showNumber } from '../../format/numbers.ts';
import { useCan, useSeesPersonalData } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import { totalOf } from './columns.tsx';
import { lastMonth, monthOf } from './month.ts';
import classes from './plot.module.css';
import type { Report, ReportName, Row } from './reports.ts';
import { useCsv } from './use-csv.ts';
import { Waiting } from './waiting.tsx';

const parts: readonly ReportName[] = ['sales', 'tax', 'receivables', 'numbering'];

/** A month to be closed: sales, tax, what is open at its end, and whether its numbers are complete; each as a file. */
export default function MonthEndPage() {
  const { month: chosen } = useSearch({ strict: false }) as { month?: string };
  const today = useToday();
  const navigate = useNavigate();
  const month = chosen ?? (today && lastMonth(today));
  if (month === undefined) return <PageSkeleton />;
  return (
    <Page title={t('reports.monthEnd')} about={t('monthEnd.about')} back={{ to: '/app/reports', label: t('nav.reports') }}>
      <TextInput
        type="month"
        maw={220}
        mb={18}
        label={t('monthEnd.month')}
        value={month}
        onChange={(event) => {
          const { value } = event.currentTarget;
          void navigate({ to: '.', search: ((before: object) => ({ ...before, month: value || undefined })) as never, replace: true });
        }}
      />
      {monthOf(month) && parts.map((name) => <Part key={name} name={name} month={month} />)}
      {monthOf(month) && <Papers month={month} />}
    </Page>
  );
}

function Part({ name, month }: { name: ReportName; month: string }) {
  const { console, env } = useConsole();
  const csv = useCsv();
  const seesPersonalData = useSeesPersonalData();
  const days = monthOf(month) ?? { from: '', to: '' };
  // Of a month that is under way, what is open is of today.
  const query = name === 'receivables' ? { as_of: days.to } : days;
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: [env, 'reports', name, query, 'end'],
    queryFn: ({ signal }) =>
      answered(
        console.GET('/console/v1/reports/{report}', { params: { path: { report: name }, query: { ...query, per_page: 1 } }, signal }),
      ),
  });
  return (
    <Panel
      title={t(name === 'receivables' ? 'monthEnd.receivables' : name === 'numbering' ? 'monthEnd.numbering' : `reports.name.${name}`, {
        day: data ? showDay(data.as_of) : '',
      })}
      actions={
        seesPersonalData && (
          <Button size="compact-sm" variant="default" loading={csv.isRunning} onClick={() => csv.run({ name, query })}>
            {t('monthEnd.csv', { name: t(`reports.name.${name}`) })}
          </Button>
        )
      }
      flush
    >
      {(error ?? csv.error) && <Failure error={(error ?? csv.error) as Error} again={() => void refetch()} />}
      {!data && !error && <Waiting reason={failureReason} />}
      {data && name !== 'numbering' && <Totals name={name} report={data} />}
      {data && name === 'numbering' && <Certificate report={data} />}
      {data && (
        <p className={classes['facts']}>
          <Link
            to="/app/reports"
            search={((before: { live?: string }) => ({ live: before.live, report: name, ...query, cite: 'true' })) as never}
          >
            {t('monthEnd.detail', { name: t(`reports.name.${name}`) })}
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** The papers of all documents of the month. */
function Papers({ month }: { month: string }) {
  const can = useCan();
  const { run, done } = useExporting();
  const saving = useSaving({ run: (body: Resource<'CreateExport'>, once) => run(body, once), done });
  const days = monthOf(month);
  const seesPersonalData = useSeesPersonalData();
  if (!days || !seesPersonalData || !(can('invoices:read') || can('receipts:read'))) return null;
  return (
    <Panel
      title={t('monthEnd.pdfs')}
      about={t('monthEnd.pdfsAbout')}
      actions={
        <Button size="compact-sm" variant="default" loading={saving.isRunning} onClick={() => saving.run({ kind: 'pdf', ...days })}>
          {t('monthEnd.pdfs')}
        </Button>
      }
    >
      {saving.error && <Failure error={saving.error} />}
    </Panel>
  );
}

const Totals = ({ name, report }: { name: ReportName; report: Report }) => (
  <div className={classes['facts']}>
    {report.open && report.open.documents > 0 && <Notice tone="warn">{t('monthEnd.open', { count: report.open.documents })}</Notice>}
    {report.totals.length === 0 && <p>{t('reports.noRows')}</p>}
    {(report.totals as readonly Row[]).map((row) => (
      <p key={row.currency}>{totalOf(name, row)}</p>
    ))}
  </div>
);

/** Whether each number of the month is accounted for; the sum is of the lines of the file. */
const Certificate = ({ report: { complete, gaps = [], sha256, meta } }: { report: Report }) => (
  <div className={classes['facts']}>
    <Facts
      rows={[
        [
          t('monthEnd.complete'),
          <Badge key="complete" tone={complete ? 'good' : 'bad'}>
            {t(complete ? 'monthEnd.yes' : 'monthEnd.no')}
          </Badge>,
        ],
        [t('monthEnd.numbers'), showNumber(meta.total)],
        ...gaps.map(({ series_key: series, from_seq: from, to_seq: to }) => [t('monthEnd.gap', { series }), `${from}–${to}`] as const),
        ['SHA-256', <code key="sum">{sha256}</code>],
      ]}
    />
  </div>
);
