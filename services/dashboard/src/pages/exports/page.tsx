import { useSearch } from '@tanstack/react-router';
import { useToday } from '../../documents/issuer.ts';
import { useSeesPersonalData } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Notice } from '../../ui/notice.tsx';
import { ExportForm } from './export-form.tsx';
import { ExportList } from './export-list.tsx';
import type { ExportFilters } from './exports.ts';

/** Documents as files: a new export, with the filters of the list that led here, and those of the last day. */
export default function ExportsPage() {
  const search = useSearch({ strict: false }) as ExportFilters;
  const today = useToday();
  const seesPersonalData = useSeesPersonalData();
  if (today === undefined) return <PageSkeleton />;
  return (
    <Page title={t('nav.exports')} about={t('exports.about')}>
      {!seesPersonalData && <Notice tone="info">{t('pdf.withheld')}</Notice>}
      {seesPersonalData && (
        <>
          <ExportForm key={JSON.stringify(search)} filters={search} today={today} />
          <ExportList />
        </>
      )}
    </Page>
  );
}
