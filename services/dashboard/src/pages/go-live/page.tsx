import { useQuery } from '@tanstack/react-query';
import { SetupSteps } from '../../documents/setup-steps.tsx';
import { setupQuery } from '../../session/setup.ts';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

/** What is missing until live documents can be issued. Steps tick themselves: the page asks again while it is open. */
export default function GoLivePage() {
  const { data, error, refetch } = useQuery({ ...setupQuery, refetchInterval: 15_000 });
  return (
    <Page title={t('nav.goLive')} about={t('goLive.about')}>
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <PageSkeleton />}
      {data?.live.ready && <Notice tone="good" title={t('goLive.ready')} />}
      {data && (
        <Panel flush title={t('goLive.steps')}>
          <SetupSteps steps={data.live.steps} env="live" />
        </Panel>
      )}
    </Page>
  );
}
