import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { Page } from '../../shell/page.tsx';
import { t } from '../../texts/t.ts';
import { useListSearch } from '../../ui/list-search.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { ReportFiltersBar } from './report-filters.tsx';
import { ReportView } from './report-view.tsx';
import { filterNames, isReportName, type ReportFilterName, reportNames } from './reports.ts';

/** The reports of an environment, one a tab. */
export default function ReportsPage() {
  const { report } = useSearch({ strict: false }) as { report?: string };
  const search = useListSearch<ReportFilterName>(filterNames);
  const name = isReportName(report) ? report : 'sales';
  return (
    <Page
      title={t('nav.reports')}
      about={t(`reports.of.${name}`)}
      actions={
        <Button variant="default" component={Link} to="/app/reports/month-end">
          {t('reports.monthEnd')}
        </Button>
      }
    >
      <Tabs
        name="report"
        label={t('nav.reports')}
        tabs={reportNames.map((value) => ({ value, label: t(`reports.name.${value}`) }))}
        value={name}
      />
      <ReportFiltersBar name={name} search={search} />
      <ReportView name={name} search={search} />
    </Page>
  );
}
