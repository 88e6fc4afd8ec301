import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from './section.tsx';
import { SetupNotice } from './setup-notice.tsx';

/** What is to be done, the oldest first, in the environment that is shown. */
export default function TodayPage() {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'today'],
    queryFn: ({ signal }) => answered(console.GET('/console/today', { signal })),
    refetchInterval: 60_000,
  });
  return (
    <Page title={t('nav.today')} about={t('today.about')}>
      {env === 'live' && <SetupNotice />}
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
      {data?.data.map((section) => (
        <Section key={section.kind} section={section} />
      ))}
      {data?.data.length === 0 && (
        <Empty icon="check" title={t('today.nothing')} action={<Link to="/app/settings/api-keys">{t('today.toKeys')}</Link>}>
          {t(`today.nothing.${env}`)}
        </Empty>
      )}
    </Page>
  );
}
