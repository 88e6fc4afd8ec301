import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../../api/consoles.ts';
import type { Environment } from '../../api/environment.ts';
import type { Resource } from '../../api/types.ts';
import { newInvoice } from '../../documents/documents.ts';
import { useCan } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from './section.tsx';
import { SetupNotice } from './setup-notice.tsx';

const EVERY_MS = 60_000;
/** Where a section could not be read. */
const AGAIN_MS = 10_000;
const isUnread = ({ count }: Resource<'TodaySection'>): boolean => count === null;

/** What is to be done, the oldest first, in the environment that is shown. */
export default function TodayPage() {
  const can = useCan();
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'today'],
    queryFn: ({ signal }) => answered(console.GET('/console/today', { signal })),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnread) ? AGAIN_MS : EVERY_MS),
  });
  return (
    <Page title={t('nav.today')} about={t('today.about')}>
      {env === 'live' && <SetupNotice />}
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
      {data?.data.map((section) => (
        <Section key={section.kind} section={section} again={() => void refetch()} />
      ))}
      {data?.data.length === 0 && (
        <Empty icon="check" title={t('today.nothing')} action={<Next env={env} />}>
          {t('today.nothingText')} {env === 'test' && can('api_keys:write') && t('today.begin')}
        </Empty>
      )}
    </Page>
  );
}

/** Where one goes on, by what one may: those who write programs to keys, and in test to a first invoice; those at a till to it. */
function Next({ env }: { env: Environment }) {
  const can = useCan();
  if (can('api_keys:read'))
    return (
      <>
        <Link to="/app/settings/api-keys">{t('today.toKeys')}</Link>
        {env === 'test' && can('invoices:write') && (
          <>
            {' · '}
            <Link to={newInvoice}>{t('form.new')}</Link>
          </>
        )}
      </>
    );
  if (can('invoices:read')) return <Link to="/app/invoices">{t('nav.invoices')}</Link>;
  return <Link to="/app/till">{t('nav.till')}</Link>;
}
